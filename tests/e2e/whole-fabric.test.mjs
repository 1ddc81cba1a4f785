// The largest fabric in a tab: it loads, moves, loses packets to a dead T1, answers meanwhile, and fits.

import assert from 'node:assert/strict';
import test from 'node:test';
import { counter, openRun, press, ready, timePs } from './stage.mjs';

/** What a tab may have: a 32-bit memory ends at 4 GiB, and Chromium's at a little less. */
const MEMORY_BOUND = 3.5 * 2 ** 30;

/** The time that a click has to show its effect, in ms. Generous: the machine may be busy. */
const ANSWER_MS = 10_000;

const UNITS = { MB: 1e6, GB: 1e9 };

/** The worker's memory in bytes, as the page prints it: to three figures. */
async function memory(page) {
  const text = await page.getByTestId('memory').textContent();
  const [, figures, unit] = /^([\d.]+) (MB|GB)$/.exec(text) ?? assert.fail(`no size: ${text}`);
  return Number(figures) * UNITS[unit];
}

test('131,072 NICs run in a tab that goes on answering', async (t) => {
  const page = await openRun(t);
  await page.getByTestId('preset-whole-fabric').click();
  await page.getByTestId('scenario-name').filter({ hasText: 'The whole fabric' }).waitFor();
  await ready(page);
  await page.getByTestId('status').filter({ hasText: /^0 of 131.?072 flows/ }).waitFor();

  await page.getByTestId('start').click();
  const delivered = () =>
    page.waitForFunction(
      () => /[1-9]/.test(document.querySelector('[data-testid=delivered]').textContent),
      undefined,
      { timeout: 120_000 },
    );
  // While it gets there, the page answers a key and a click, and time goes on.
  const label = page.getByTestId('speed-label');
  const before = await label.textContent();
  await press(page, '[');
  await label.filter({ hasNotText: before }).waitFor({ timeout: ANSWER_MS });
  await press(page, ']');
  await label.filter({ hasText: before }).waitFor({ timeout: ANSWER_MS });
  await page.getByTestId('tab-flows').click();
  await page.locator('[data-testid=tab-flows][aria-selected=true]').waitFor({ timeout: ANSWER_MS });
  await delivered();
  await page.getByTestId('drops-switch_dead').waitFor();

  await page.getByTestId('play').click();
  await page.locator('[data-testid=play][aria-label=Play]').waitFor({ timeout: ANSWER_MS });
  const [time, hops] = [await timePs(page), await counter(page, 'packet-hops')];
  assert.ok(time > 3e6, `packets have crossed four links by ${time} ps`);
  assert.ok(hops > 1e6, `${hops} packet-hops`);
  const bytes = await memory(page);
  assert.ok(bytes > 1e8 && bytes < MEMORY_BOUND, `${bytes} bytes`);
});
