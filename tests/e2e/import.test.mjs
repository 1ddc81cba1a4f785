// What clouds and captures have, dropped on the page: it becomes a host that runs.

import assert from 'node:assert/strict';
import test from 'node:test';
import { openPage } from './browser.mjs';
import { openRun, ready } from './stage.mjs';

/** A security group as `az network nsg show` has it: HTTPS from anywhere to 10.1.0.4. */
const NSG = {
  name: 'web',
  securityRules: [
    {
      name: 'https', priority: 200, direction: 'Inbound', access: 'Allow', protocol: 'Tcp', sourceAddressPrefix: '*',
      sourcePortRange: '*', destinationAddressPrefix: '10.1.0.4', destinationPortRange: '443',
    },
  ],
};

/** A VNet flow log, version 4: one flow that is allowed, 12 packets there and 9 back in 300 s. */
const LOG = {
  records: [
    {
      time: '2026-03-01T10:05:12.1Z', flowLogVersion: 4, macAddress: '6045BD112233', category: 'FlowLogFlowEvent',
      operationName: 'FlowLogFlowEvent',
      flowRecords: {
        flows: [{
          aclID: '5c11',
          flowGroups: [{
            rule: 'https',
            flowTuples: [
              '1772359512345,203.0.113.9,10.1.0.4,51000,443,6,I,B,NX,0,0,0,0',
              '1772359812345,203.0.113.9,10.1.0.4,51000,443,6,I,E,NX,12,3400,9,7800',
            ],
          }],
        }],
      },
    },
  ],
};

/** A pcap file (little endian, microseconds, Ethernet) of UDP packets from 10.1.0.4 to 198.51.100.7, 1 ms apart. */
function capture(packets) {
  const word = (value, bytes) => {
    const buffer = Buffer.alloc(bytes);
    if (bytes === 4) buffer.writeUInt32LE(value);
    else buffer.writeUInt16LE(value);
    return buffer;
  };
  const header = Buffer.concat([word(0xa1b2c3d4, 4), word(2, 2), word(4, 2), word(0, 4), word(0, 4), word(65_535, 4), word(1, 4)]);
  const frame = Buffer.concat([
    Buffer.from('0200000000020200000000010800', 'hex'),
    // IPv4: 128 bytes in all, TTL 64, UDP; a checksum of 0 is one that the card was to fill in.
    Buffer.from('45000080000000004011', 'hex'), Buffer.from('0000', 'hex'), Buffer.from([10, 1, 0, 4, 198, 51, 100, 7]),
    // UDP from 40000 to 53, 108 bytes.
    Buffer.from('9c400035006c0000', 'hex'), Buffer.alloc(100),
  ]);
  const records = Array.from({ length: packets }, (_, at) => Buffer.concat([
    word(1_700_000_000, 4), word(at * 1_000, 4), word(frame.length, 4), word(frame.length, 4), frame,
  ]));
  return Buffer.concat([header, ...records]);
}

const json = (value) => Buffer.from(JSON.stringify(value));

/** Drops files on the page as a user does; bytes stay as they are. */
async function drop(page, files) {
  const transfer = await page.evaluateHandle(
    (list) => {
      const transfer = new DataTransfer();
      for (const { name, bytes } of list) transfer.items.add(new File([new Uint8Array(bytes)], name));
      return transfer;
    },
    files.map(([name, buffer]) => ({ name, bytes: [...buffer] })),
  );
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
}

const card = (page, stage) => page.locator(`[data-testid="import-card"][data-stage="${stage}"]`);
const onHost = (page) => page.locator('[data-page="host"][data-phase="ready"]').waitFor();

test('a security group that is dropped on the fabric opens the host with its rules and says what is not used', async (t) => {
  const page = await openRun(t, '#preset/incast');
  await drop(page, [['web-nsg.json', json(NSG)]]);
  await card(page, 'done').waitFor();
  await onHost(page);
  // Azure adds three default rules in each direction.
  await card(page, 'done').filter({ hasText: 'web-nsg.json: security groups (web: 1 of 7 rules own)' }).waitFor();
  await page.getByTestId('import-card-notes').filter({ hasText: "Azure's are added" }).waitFor();
  assert.match(page.url(), /#1\./, 'the address holds the scenario');
  await page.getByTestId('import-close').click();
  assert.equal(await page.getByTestId('import-card').count(), 0);
  // The browser's Back button finds the run that was open before.
  await page.goBack();
  await page.getByTestId('scenario-name').filter({ hasText: 'Seven to one' }).waitFor();
  await ready(page);
});

test('a group and a flow log that are chosen together make one scenario', async (t) => {
  const page = await openPage(t, '#preset/host-latency');
  await onHost(page);
  await page.getByTestId('file-input').setInputFiles([
    { name: 'web-nsg.json', mimeType: 'application/json', buffer: json(NSG) },
    { name: 'PT1H.json', mimeType: 'application/json', buffer: json(LOG) },
  ]);
  const done = card(page, 'done').filter({ hasText: 'Made of web-nsg.json and PT1H.json' });
  await done.filter({ hasText: 'a flow log (1 flow)' }).waitFor();
  await onHost(page);
});

test('a capture becomes flows', async (t) => {
  const page = await openPage(t, '#preset/host-latency');
  await onHost(page);
  await drop(page, [['trace.pcap', capture(5)]]);
  await card(page, 'done').filter({ hasText: 'trace.pcap: a capture (1 flow)' }).waitFor();
  await onHost(page);
});

test('what is wrong with a file is said with its place, and the run that was open stays', async (t) => {
  const page = await openRun(t, '#preset/incast');
  const bad = structuredClone(NSG);
  bad.securityRules[0].access = 'Perhaps';
  await drop(page, [['PT1H.json', json(LOG)], ['bad-nsg.json', json(bad)]]);
  const refused = card(page, 'error').filter({ hasText: 'bad-nsg.json cannot be imported' });
  await refused.waitFor();
  await page.getByTestId('import-card-problems').filter({ hasText: 'securityRules[0].access: ' }).waitFor();
  await ready(page);
  await page.getByTestId('scenario-name').filter({ hasText: 'Seven to one' }).waitFor();
  // Something in no format that is read.
  await drop(page, [['list.json', Buffer.from('{"a": 1}')]]);
  await card(page, 'error').filter({ hasText: 'list.json cannot be imported' }).filter({ hasText: 'flow logs' }).waitFor();
  // A capture that is cut off in its header.
  await drop(page, [['cut.pcap', capture(1).subarray(0, 20)]]);
  await card(page, 'error').filter({ hasText: 'cut.pcap cannot be imported' }).waitFor();
});

test('what the files leave open is said in a form, and they are imported again with it', async (t) => {
  const page = await openRun(t, '#preset/incast');
  await drop(page, [['web-nsg.json', json(NSG)]]);
  await card(page, 'done').waitFor();
  await page.getByTestId('import-open').click();
  await page.getByTestId('import-said-vm').fill('10.1.0');
  await page.getByTestId('import-again').click();
  await page.getByTestId('import-card-problems').filter({ hasText: '10.1.0' }).waitFor();
  assert.equal(await page.getByTestId('import-said-vm').getAttribute('aria-invalid'), 'true');
  await page.getByTestId('import-said-vm').fill('10.1.0.5');
  await page.keyboard.press('Enter');
  await page.getByTestId('import-card-notes').filter({ hasText: 'on its own side stands another address' }).waitFor();
  await onHost(page);
});
