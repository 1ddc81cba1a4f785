// Playing a run: the clock, the packets, the speed, the end.

import assert from 'node:assert/strict';
import test from 'node:test';
import { counter, finish, openRun, press, reach, ready, timePs } from './stage.mjs';

test('the page opens on a preset in which a link dies, ready to run', async (t) => {
  const page = await openRun(t);
  assert.match(await page.getByTestId('scenario-name').textContent(), /link dies/);
  assert.equal(await timePs(page), 0);
  assert.match(await page.getByTestId('faults').textContent(), /p1\/t0\.0-t1\.2 down/);
  assert.match(await page.getByTestId('about').textContent(), /ASSUMED_BAD/);
  await page.getByTestId('ev-grid').waitFor();
});

test('playing moves time and packets, pausing stops both', async (t) => {
  const page = await openRun(t);
  await page.getByTestId('start').click();
  await reach(page, 10);
  await page.getByTestId('play').click();
  await page.locator('[data-testid=play][aria-label=Play]').waitFor();
  assert.ok((await counter(page, 'packet-hops')) > 0);
  assert.ok((await counter(page, 'in-flight')) > 0);
  const paused = await timePs(page);
  const before = await picture(page);
  await page.waitForTimeout(300);
  assert.equal(await timePs(page), paused);
  assert.deepEqual(await picture(page), before, 'nothing moves on the stage');
  await press(page, 'Space');
  await reach(page, paused / 1e6 + 1);
  assert.notDeepEqual(await picture(page), before);
});

test('one event at a time', async (t) => {
  const page = await openRun(t);
  const events = () => counter(page, 'events');
  for (const expected of [1, 2, 3]) {
    await press(page, '.');
    await page.waitForFunction(
      (n) => Number(document.querySelector('[data-testid=events]').textContent) === n,
      expected,
    );
  }
  assert.equal(await events(), 3);
  assert.match(await page.getByTestId('step-text').textContent(), /^NIC \d+ posts flow/);
});

test('the speed runs from 1 ns/s to 1 s/s', async (t) => {
  const page = await openRun(t);
  const label = page.getByTestId('speed-label');
  await page.getByTestId('speed').fill('0');
  assert.equal(await label.textContent(), '1 ns/s');
  await page.getByTestId('speed').fill('27');
  assert.equal(await label.textContent(), '1 s/s');
  await page.getByTestId('speed').fill('12');
  assert.equal(await label.textContent(), '10 µs/s');
  await press(page, ']');
  assert.equal(await label.textContent(), '20 µs/s');
  await page.getByTestId('speed').fill('9');
  await press(page, 'Space');
  await page.waitForTimeout(2000);
  await press(page, 'Space');
  const us = (await timePs(page)) / 1e6;
  assert.ok(us > 0.5 && us < 4, `2 s at 1 µs/s brought ${us} µs`);
});

test('a speed that is out of reach is said', async (t) => {
  // 12.8 Tb/s for long: no machine simulates a second of that in a second.
  const scenario = {
    version: 1,
    until: '1s',
    fabric: { planes: 8, t0_per_plane: 4, t1_per_plane: 4, nics_per_t0: 4, nic_link_rate: '100Gbps' },
    traffic: [{ kind: 'permutation', shift: 4, bytes: '5GB' }],
  };
  const page = await openRun(t);
  await page.getByTestId('file-input').setInputFiles({
    name: 'long.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(scenario)),
  });
  await page.locator('[data-testid=speed-label]').filter({ hasText: '10 µs/s' }).waitFor();
  await ready(page);
  await page.getByTestId('speed').fill('27');
  await press(page, 'Space');
  await page.getByTestId('speed-note').filter({ hasText: 'limited by this machine' }).waitFor();
});

test('a run ends, and says so; it can begin again with another seed', async (t) => {
  const page = await openRun(t);
  const first = await finish(page);
  assert.match(await page.getByTestId('status').textContent(), /^Finished: 16 of 16/);
  assert.match(first, /^[0-9a-f]{16}$/);
  await press(page, 'r');
  await page.locator('[data-testid=time][data-ps="0"]').waitFor();
  assert.equal(await finish(page), first, 'the same seed gives the same run');
  await page.getByTestId('seed').fill('99');
  await page.getByTestId('seed').press('Enter');
  await page.locator('[data-testid=time][data-ps="0"]').waitFor();
  await ready(page);
  assert.notEqual(await finish(page), first);
});

test('results are listed with units and can be sorted', async (t) => {
  const page = await openRun(t);
  await finish(page);
  await page.getByTestId('tab-flows').click();
  const rows = page.getByTestId('flow-row');
  await rows.nth(15).waitFor();
  assert.match(await page.getByTestId('fct-summary').textContent(), /^FCT p50 [\d.]+ µs, p99 [\d.]+ µs, max [\d.]+ µs$/);
  const times = async () => (await rows.locator('td:nth-child(6)').allTextContents()).map(Number);
  const header = page.getByRole('button', { name: 'FCT (µs)' });
  const longest = await times();
  assert.deepEqual(longest, [...longest].sort((a, b) => b - a));
  await header.click();
  assert.deepEqual(await times(), [...longest].sort((a, b) => a - b));
  const download = page.waitForEvent('download');
  await page.getByTestId('save-flows').click();
  assert.equal((await download).suggestedFilename(), 'flows.csv');
});

/** What the stage's packets look like. */
async function picture(page) {
  return page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const canvas = document.querySelectorAll('[data-testid=stage] canvas')[1];
    const bytes = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    const digest = await crypto.subtle.digest('SHA-256', bytes);
    return [...new Uint8Array(digest)];
  });
}

test('what is no seed is refused with the reason, and the run stays', async (t) => {
  const page = await openRun(t);
  const seed = page.getByTestId('seed');
  for (const text of ['-1', '1.5', 'abc', '18446744073709551616']) {
    await seed.fill(text);
    await seed.press('Enter');
    await page.locator('.notice.error').filter({ hasText: `"${text}"; expected a whole number` }).waitFor();
    assert.equal(await seed.inputValue(), '1');
  }
  // The largest there is.
  await seed.fill('18446744073709551615');
  await seed.press('Enter');
  await page.locator('.notice.error').waitFor({ state: 'detached' });
  await ready(page);
  assert.equal(await seed.inputValue(), '18446744073709551615');
});
