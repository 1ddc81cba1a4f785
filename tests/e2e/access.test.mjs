// axe-core finds nothing to complain about on any view of a fabric, in both themes, on a wide window and on a phone.

import assert from 'node:assert/strict';
import test from 'node:test';
import { complaints, each, PHONE } from './axe.mjs';
import { openPage } from './browser.mjs';
import { find, openRun, openScenario, place, press, reach } from './stage.mjs';

test('the fabric page, its tabs and its dialogs', async (t) => {
  const page = await openRun(t, '#preset/link-dies');
  await press(page, 'e');
  await page.locator('[data-testid=status].good').waitFor({ timeout: 120_000 });
  const found = await complaints(page, 'fabric');
  found.push(...(await each(page, ['tab-events', 'tab-charts', 'tab-flows', 'tab-sweep', 'tab-timeline'], 'fabric')));
  await page.getByTestId('add-fault').click();
  found.push(...(await complaints(page, 'form of a new fault')));
  await page.keyboard.press('Escape');
  await press(page, '?');
  found.push(...(await complaints(page, 'help')));
  await page.keyboard.press('Escape');
  await page.getByTestId('share').click();
  found.push(...(await complaints(page, 'share dialog')));
  found.push(...(await each(page, ['share-tab-embed', 'share-tab-image', 'share-tab-recording'], 'share dialog')));
  await page.keyboard.press('Escape');
  await press(page, 'Shift+E');
  await page.getByTestId('editor').waitFor();
  found.push(...(await complaints(page, 'editor')));
  assert.deepEqual(found, []);
});

test('the inspector: a number explained, a packet, one of its fields, its bytes bit by bit', async (t) => {
  const page = await openRun(t, '#preset/link-dies');
  await page.getByTestId('explain').first().click();
  const found = await complaints(page, 'a number');
  await press(page, 'Space');
  await page.locator('[data-testid=play][aria-label=Pause]').waitFor();
  await page.waitForFunction(() => Number(document.querySelector('[data-testid=time]').dataset.ps) >= 5e6);
  await press(page, 'n');
  await page.locator('[data-header=BTH] [data-field=psn]').click();
  found.push(...(await complaints(page, 'a field')));
  await page.getByTestId('bytes-bits').click();
  found.push(...(await complaints(page, 'bits')));
  assert.deepEqual(found, []);
});

test('each kind of thing in the inspector, found by its name', async (t) => {
  const page = await openRun(t, '#preset/link-dies');
  await page.getByTestId('speed').fill('14');
  await press(page, 'Space');
  await reach(page, 131);
  await press(page, 'Space');
  const found = [];
  for (const name of ['QP 0', 'p1/t0.0-t1.2', 'p0/t0.1', 'NIC 0']) {
    await find(page, name);
    found.push(...(await complaints(page, name)));
  }
  const { x, y } = await place(page);
  await page.mouse.click(x, y, { button: 'right' });
  found.push(...(await complaints(page, 'menu of what can be broken')));
  assert.deepEqual(found, []);
});

test('lists with rows: every event, a sweep, the steps of a job', async (t) => {
  const page = await openRun(t, '#preset/link-dies');
  await press(page, 'e');
  await page.locator('[data-testid=status].good').waitFor({ timeout: 120_000 });
  await page.getByTestId('tab-events').click();
  await page.getByTestId('events-all').click();
  await page.getByTestId('event-row').first().click();
  const found = await complaints(page, 'all events');
  await page.getByTestId('tab-sweep').click();
  await page.getByTestId('sweep-start').click();
  await page.getByTestId('sweep-copy').waitFor({ timeout: 240_000 });
  found.push(...(await complaints(page, 'a sweep')));
  await openScenario(page, {
    version: 1,
    name: 'A job',
    until: '10ms',
    fabric: { planes: 2, t0_per_plane: 2, t1_per_plane: 2, nics_per_t0: 4, nic_link_rate: '100Gbps' },
    traffic: [{ kind: 'job', collective: 'ring_all_reduce', ranks: 8, bytes: '800kB', steps: 3, compute: '20us' }],
  });
  await press(page, 'e');
  await page.getByTestId('tab-jobs').click();
  await page.getByTestId('job-step').first().waitFor();
  found.push(...(await complaints(page, 'a job')));
  assert.deepEqual(found, []);
});

test('a paper experiment and RoCE', async (t) => {
  const page = await openRun(t, '#preset/paper-fig-20');
  await page.getByTestId('tab-paper').click();
  const found = await complaints(page, 'paper');
  await page.goto(new URL('#preset/pfc-deadlock', page.url()).href);
  await press(page, 'e');
  await page.getByTestId('deadlock').first().waitFor({ timeout: 120_000 });
  found.push(...(await complaints(page, 'deadlock')));
  assert.deepEqual(found, []);
});

test('a fabric on a phone', async (t) => {
  const page = await openRun(t, '#preset/link-dies', PHONE);
  const panels = await page.locator('[data-testid^=panel-]').evaluateAll((tabs) => tabs.map((tab) => tab.dataset.testid));
  const found = await each(page, panels, 'phone');
  assert.deepEqual(found, []);
});

test('a simulation that has stopped', async (t) => {
  const page = await openPage(t, 'manifest.webmanifest', { expected: /Failed to load|500/ });
  await page.route('**/flowglass-worker_loader.js', (route) => route.fulfill({ status: 500, body: '' }));
  await page.goto(new URL('/#preset/incast', page.url()).href);
  await page.getByTestId('broken').waitFor({ timeout: 60_000 });
  assert.deepEqual(await complaints(page, 'stopped'), []);
});

test('what is wrong with a link is a notice', async (t) => {
  const page = await openPage(t, '#nonsense');
  await page.getByTestId('notice').first().waitFor();
  assert.deepEqual(await complaints(page, 'notice'), []);
});
