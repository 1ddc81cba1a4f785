// The editor of hosts: forms and JSON, each following the other; undo over both pages; what the browser keeps; going through time.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { openRun, press, ready, timePs } from './stage.mjs';

/** Opens a host and, by its key, the editor. */
async function openEditor(t, preset = 'host-vf-revoke') {
  const page = await openRun(t, `#preset/${preset}`);
  await page.keyboard.press('Shift+E');
  await page.getByTestId('editor').waitFor();
  return page;
}

const text = (page) => page.getByTestId('editor-text').inputValue();

/** Waits until the text says something. */
async function says(page, pattern) {
  await page.waitForFunction(
    ([source]) => new RegExp(source).test(document.querySelector('[data-testid=editor-text]').value),
    [pattern.source],
  );
}

/** Fills a field of the forms in. */
async function fill(page, path, value) {
  const field = page.getByTestId(`form-${path}`);
  await field.fill(value);
  await field.press('Enter');
  return field;
}

/** Waits until a field of the forms has a value. */
async function has(page, path, value) {
  await page.waitForFunction(([path, value]) => document.querySelector(`[data-testid="form-${path}"]`).value === value, [path, value]);
}

/** Types another text into the editor, in the place of what matches. */
async function retype(page, from, to) {
  const now = await text(page);
  assert.match(now, from);
  await page.getByTestId('editor-text').fill(now.replace(from, to));
}

test('forms and text of a host follow each other, with units as people write them', async (t) => {
  const page = await openEditor(t);
  await fill(page, 'seed', '77');
  await says(page, /"seed": 77/);
  await fill(page, 'until', '0.3 s');
  await says(page, /"until": "300ms"/);
  await fill(page, 'vms[0].rate', '25G');
  await says(page, /"rate": "25Gbps"/);
  await page.getByTestId('find-setting').fill('l1_entries');
  await fill(page, 'host.nic.l1_entries', '4096');
  await says(page, /"l1_entries": 4096/);
  assert.doesNotMatch(await text(page), /l2_entries/, 'what has its default is not written');
  await retype(page, /"l1_entries": 4096/, '"l1_entries": 1024');
  await page.getByTestId('editor-text').press('Control+Enter');
  await has(page, 'host.nic.l1_entries', '1024');
  // Nothing said is the default again.
  await fill(page, 'host.nic.l1_entries', '');
  await has(page, 'host.nic.l1_entries', '2048');
  await page.locator('[data-path="host.nic.l1_entries"] .about').click();
  assert.match(await page.getByTestId('field-doc').textContent(), /published: 2K on the chip/);
  await page.getByTestId('editor-close').click();
  await ready(page);
  assert.equal(await page.getByTestId('seed').inputValue(), '77');
});

test('problems of a host have their place, in the text and at the field', async (t) => {
  const page = await openEditor(t);
  const good = await text(page);
  await retype(page, /"vm": 0/, '"vm": 9');
  const problem = page.getByTestId('text-problems').getByRole('listitem').first();
  await problem.waitFor();
  const line = good.slice(0, good.indexOf('"vm": 0')).split('\n').length;
  assert.match(await problem.textContent(), new RegExp(`line ${line}, .*traffic\\[0\\].vm`));
  assert.equal(await page.getByTestId('app').getAttribute('data-phase'), 'ready', 'the last valid run goes on');
  await page.getByTestId('editor-text').fill(good);
  await page.getByTestId('editor-status').filter({ hasText: 'Valid' }).waitFor();
  const field = await fill(page, 'traffic[0].count', 'many');
  await page.getByTestId('field-problem').or(page.getByTestId('entry-problem')).first().waitFor();
  assert.equal(await field.inputValue(), 'many', 'what was typed stays where it can be mended');
  // A fabric's text is told from a host's.
  await page.getByTestId('editor-text').fill('{ "version": 1, "until": "1ms", "fabric": { "planes": 1, "t0_per_plane": 2, "t1_per_plane": 1, "nics_per_t0": 1, "nic_link_rate": "100G" }, "traffic": [] }');
  await page.getByTestId('text-problems').filter({ hasText: 'this is the scenario of a fabric' }).waitFor();
});

test('VMs, traffic and events of a host are added, changed and removed', async (t) => {
  const page = await openEditor(t, 'host-latency');
  const count = (list) => page.locator(`[data-testid^="entry-${list}-"]`).count();
  const [vms, traffic, events] = await Promise.all(['vms', 'traffic', 'events'].map(count));
  await page.getByTestId('add-vms').selectOption('vm');
  await page.getByTestId(`entry-vms-${vms}`).waitFor();
  await page.getByTestId(`form-vms[${vms}].path`).selectOption('dpdk_netvsc');
  await says(page, /"path": "dpdk_netvsc"/);
  await page.getByTestId('add-traffic').selectOption('syn_flood');
  await page.getByTestId(`entry-traffic-${traffic}`).waitFor();
  await page.getByTestId(`kind-traffic-${traffic}`).selectOption('flows');
  await says(page, /"kind": "flows"/);
  await fill(page, `traffic[${traffic}].vm`, String(vms));
  await page.getByTestId('add-events').selectOption('vf_revoke');
  await fill(page, `events[${events}].at`, '12 ms');
  await says(page, /"at": "12ms"/);
  // A VM that has traffic cannot go.
  await page.getByRole('button', { name: `Remove VM ${vms}`, exact: true }).click();
  await page.getByTestId('entry-problem').first().waitFor();
  await page.getByRole('button', { name: `Remove traffic ${traffic + 1}`, exact: true }).click();
  await page.getByTestId(`entry-traffic-${traffic}`).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: `Remove VM ${vms}`, exact: true }).click();
  await page.getByTestId(`entry-vms-${vms}`).waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await ready(page);
  assert.ok((await page.getByTestId('time-mark').count()) > 0, 'the event is on the time bar');
});

test('undo and redo go over a host and a fabric', async (t) => {
  const page = await openRun(t, '#preset/incast');
  await page.getByTestId('preset-host-latency').click();
  await page.locator('[data-page=host][data-phase=ready]').waitFor();
  await page.getByTestId('seed').fill('5');
  await page.getByTestId('seed').press('Enter');
  await page.waitForFunction(() => location.hash !== '#preset/host-latency');
  await press(page, 'Control+z');
  await page.waitForFunction(() => location.hash === '#preset/host-latency');
  assert.notEqual(await page.getByTestId('seed').inputValue(), '5');
  await press(page, 'Control+z');
  await page.locator('[data-testid=app]:not([data-page])[data-phase=ready]').waitFor();
  assert.equal(new URL(page.url()).hash, '#preset/incast');
  await press(page, 'Control+Shift+Z');
  await page.locator('[data-page=host][data-phase=ready]').waitFor();
  await press(page, 'Control+Shift+Z');
  await page.waitForFunction(() => document.querySelector('[data-testid=seed]').value === '5');
});

test('the browser keeps a host that was worked on, and the other page opens it', async (t) => {
  const page = await openEditor(t);
  await fill(page, 'name', 'My host');
  await page.getByTestId('kept').getByText('My host').waitFor({ state: 'attached' });
  await page.goto('about:blank');
  await page.goto('./');
  await page.getByTestId('offer').filter({ hasText: 'My host' }).waitFor();
  await page.getByTestId('offer-restore').click();
  await page.locator('[data-page=host][data-phase=ready]').waitFor();
  assert.equal(await page.getByTestId('scenario-name').textContent(), 'My host');
});

test('a host is saved as it was written, and opened so', async (t) => {
  const page = await openEditor(t, 'host-first-packet');
  await retype(page, /"version": 1/, '"version":    1');
  await page.getByTestId('editor-text').press('Control+Enter');
  await page.getByTestId('editor-status').filter({ hasText: 'Valid' }).waitFor();
  const download = page.waitForEvent('download');
  await page.getByTestId('editor-save').click();
  const saved = await readFile(await (await download).path(), 'utf8');
  assert.equal(saved, await text(page));
  assert.match(saved, /"version": {4}1/);
  await page.getByTestId('editor-open').setInputFiles({ name: 'own.json', mimeType: 'application/json', buffer: Buffer.from(saved) });
  await ready(page);
  assert.equal(await text(page), saved);
});

test('one event back and on again is the same moment', async (t) => {
  const page = await openRun(t, '#preset/host-first-packet');
  const state = () => page.evaluate(() => ['events', 'digest'].map((name) => document.querySelector(`[data-testid=${name}]`).textContent));
  /** Presses a key and waits until so many events are processed. */
  const to = async (key, events) => {
    await press(page, key);
    await page.waitForFunction((events) => document.querySelector('[data-testid=events]').textContent === String(events), events);
    return [await state(), await timePs(page)];
  };
  const seen = [];
  for (let events = 1; events <= 5; events++) seen.push(await to('.', events));
  for (let events = 4; events >= 1; events--) assert.deepEqual(await to(',', events), seen[events - 1]);
  for (let events = 2; events <= 5; events++) assert.deepEqual(await to('.', events), seen[events - 1]);
});
