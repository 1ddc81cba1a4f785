// RoCE, paused links and deadlocks on the page: what is drawn, what the inspector knows, what can be set.

import assert from 'node:assert/strict';
import test from 'node:test';
import { counter, end, find, openRun, press, reach } from './stage.mjs';

/** Names of the legend's kinds of packets. */
async function kinds(page) {
  return page.getByTestId('legend').locator('button.kind').allTextContents();
}

/** Plays from the start until a counter is above zero, and pauses. */
async function playUntilSeen(page, name) {
  await page.getByTestId('speed').fill('14');
  await press(page, 'Space');
  await page.waitForFunction(
    (id) => Number(document.querySelector(`[data-testid=${id}]`).textContent.replaceAll(/\D/g, '')) > 0,
    name,
    { timeout: 120_000 },
  );
  await press(page, 'Space');
  await page.locator('[data-testid=play][aria-label=Play]').waitFor();
}

test('RoCE with PFC has its own kinds, counters and packets', async (t) => {
  const page = await openRun(t, '#preset/roce-pfc-incast');
  const names = await kinds(page);
  for (const name of ['ACK', 'NAK', 'PAUSE', 'resume']) assert.ok(names.includes(name), `${name} of ${names}`);
  for (const name of ['SACK', 'NACK', 'EV probe', 'port status']) assert.ok(!names.includes(name), `${name} of ${names}`);
  assert.equal(await page.getByTestId('ev-probes').count(), 0);

  await playUntilSeen(page, 'paused-now');
  assert.ok((await counter(page, 'pauses')) > 0);
  await press(page, 'n');
  await page.getByTestId('headers').waitFor();
  const headers = await page.getByTestId('header').evaluateAll((all) => all.map((one) => one.dataset.header));
  assert.deepEqual(headers.slice(0, 2), ['Ethernet', headers.includes('PFC') ? 'PFC' : 'IPv4']);
  assert.equal(await page.getByTestId('address').count(), 0, 'no SRv6');

  await page.getByTestId('tab-events').click();
  const first = page.locator('[data-testid=event][data-kind=paused]').last();
  assert.match(await first.textContent(), /pauses/);
  await first.locator('button').click();
  const pfc = page.getByTestId('pfc');
  await pfc.first().waitFor();
  assert.equal(await pfc.count(), 2, 'both directions');
  assert.match(await pfc.first().textContent(), /paused in all/);
});

test('a QP of RoCE shows its rate, its path and its responder instead of EVs', async (t) => {
  const page = await openRun(t, '#preset/roce-dcqcn-incast');
  await playUntilSeen(page, 'cnps');
  await reach(page, 1);
  await find(page, 'QP 0');
  await page.getByTestId('roce-qp').waitFor();
  assert.equal(await page.getByTestId('ev-grid').count(), 0);
  assert.equal(await page.getByTestId('protocol').textContent(), 'RoCEv2');
  const text = await page.getByTestId('inspector').textContent();
  for (const word of ['target rate', 'α', 'CNPs heard', 'go-back-N', 'PSN expected', 'UDP source port']) {
    assert.ok(text.includes(word), `${word} in ${text}`);
  }
  assert.ok(!text.includes('0 B of 0 B'), text);
  await page.getByTestId('roce-path').locator('button').first().click();
  await page.getByTestId('subject').filter({ hasText: /^p\d+\/n\d+$/ }).waitFor();
});

test('a deadlock is announced, with each link of its circle', async (t) => {
  const page = await openRun(t, '#preset/pfc-deadlock');
  await end(page);
  const chip = page.getByTestId('deadlock');
  await chip.waitFor();
  const nodes = chip.locator('button');
  assert.equal(await nodes.count(), 4);
  assert.match(await chip.textContent(), /^Deadlock p0\/t[01]\.\d( → p0\/t[01]\.\d){4}$/);
  await nodes.first().click();
  await page.locator('[data-testid=state] .bad').filter({ hasText: 'deadlock' }).waitFor();
  await page.getByTestId('tab-events').click();
  const event = page.locator('[data-testid=event][data-kind=deadlock]');
  assert.match(await event.textContent(), /4 paused links wait for each other/);
});

test('the protocol is changed in the settings, and each has its own', async (t) => {
  const page = await openRun(t, '#preset/incast');
  await page.getByTestId('settings').locator('summary').click();
  assert.equal(await page.getByTestId('setting-transport.evs').count(), 1);
  await page.getByTestId('setting-transport.protocol').selectOption('roce');
  await page.getByTestId('setting-transport.roce.dcqcn.g').waitFor();
  assert.equal(await page.getByTestId('setting-transport.evs').count(), 0);
  assert.equal(await page.getByTestId('setting-fabric.routing').inputValue(), 'ecmp');
  await page.getByTestId('setting-fabric.pfc').selectOption('{}');
  await page.getByTestId('setting-fabric.pfc.xoff').waitFor();
  await page.locator('[data-testid=app][data-phase=ready]').waitFor();
  assert.ok((await kinds(page)).includes('PAUSE'));
  await page.getByTestId('setting-fabric.routing').selectOption('adaptive');
  await page.locator('[data-testid=app][data-phase=ready]').waitFor();
  await page.getByTestId('setting-transport.protocol').selectOption('mrc');
  await page.getByTestId('setting-transport.evs').waitFor();
});
