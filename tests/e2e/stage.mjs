// What the tests of the page have in common: waiting for a run, finding things on the stage, reading figures.

import assert from 'node:assert/strict';
import { openPage } from './browser.mjs';

/**
 * Opens the page and waits until its run is ready.
 *
 * @param {import('node:test').TestContext} t the test
 * @param {string} [path] what follows the page's address
 * @param {Parameters<typeof openPage>[2]} [options]
 */
export async function openRun(t, path = '', options = {}) {
  const page = await openPage(t, path, options);
  await ready(page);
  return page;
}

/** Waits until the page's run is ready. */
export async function ready(page) {
  await page.locator('[data-testid=app][data-phase=ready]').waitFor();
}

/** Opens a scenario in a page that is open, as a file. */
export async function openScenario(page, scenario) {
  await page.getByTestId('file-input').setInputFiles({
    name: 'scenario.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(scenario)),
  });
  await page.getByTestId('scenario-name').filter({ hasText: scenario.name }).waitFor();
  await page.locator('[data-testid=app][data-phase=ready]').waitFor({ timeout: 120_000 });
}

/** Simulated time in ps. */
export async function timePs(page) {
  return Number(await page.getByTestId('time').getAttribute('data-ps'));
}

/** Waits until the run has reached a simulated time in µs. */
export async function reach(page, us) {
  await page.waitForFunction(
    (ps) => Number(document.querySelector('[data-testid=time]').dataset.ps) >= ps,
    us * 1e6,
    { timeout: 120_000 },
  );
}

/** Presses a key on the stage, where no text field takes it. */
export async function press(page, key) {
  await page.getByTestId('stage-canvas').focus();
  await page.keyboard.press(key);
}

/** Runs to the end, at which all flows are complete, and returns the digest. */
export async function finish(page) {
  const digest = await end(page);
  await page.locator('[data-testid=status].good').waitFor();
  return digest;
}

/** Runs to the end, whatever has become of the flows, and returns the digest. */
export async function end(page) {
  await page.getByTestId('run-to-end').click();
  await page.locator('[data-testid=play][aria-label=Play]:disabled').waitFor({ timeout: 120_000 });
  return page.getByTestId('digest').textContent();
}

/** Selects a thing by its name. */
export async function find(page, name) {
  await page.getByTestId('find').fill(name);
  await page.getByTestId('find').press('Enter');
}

/** The point of the window where the selected thing is on the stage. */
export async function place(page) {
  const box = await page.getByTestId('locator').boundingBox();
  assert.ok(box, 'the selection has a place on the stage');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Selects a thing by its name and returns where it is, so that it can be clicked on the stage. */
export async function locate(page, name) {
  await find(page, name);
  await page.getByTestId('subject').filter({ hasText: name.replace(/^(NIC|QP) /, '') }).waitFor();
  return place(page);
}

/** How many of the shown QP's EVs are in each state, in reserve, and stand in for others. */
export async function evs(page) {
  const grid = page.getByTestId('ev-grid');
  const names = ['data-good', 'data-skip', 'data-bad', 'data-reserve', 'data-stand-ins'];
  const values = await Promise.all(names.map((name) => grid.getAttribute(name)));
  const [good, skip, bad, reserve, standIns] = values.map(Number);
  return { good, skip, bad, reserve, standIns };
}

/** A counter's value as a number. */
export async function counter(page, name) {
  const text = await page.getByTestId(name).textContent();
  return Number(text.replaceAll(/[\s\u202f]/g, ''));
}

/** The time that a link opens at, in ps. */
export function linkTime(link) {
  const [, number, unit] = /&at=(\d+)(ps|ns|us|ms|s)\b/.exec(link);
  return Number(number) * { ps: 1, ns: 1e3, us: 1e6, ms: 1e9, s: 1e12 }[unit];
}

/** Tells a story to its last step by finger; at each the page fits, and the stage is at least so many pixels high. */
export async function tellsOnPhone(page, steps, stage) {
  for (let number = 1; ; number++) {
    await page.locator(`[data-testid=story][data-step="${number}"]`).waitFor();
    const sizes = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth - window.innerWidth,
      high: document.documentElement.scrollHeight - window.innerHeight,
      stage: document.querySelector('[data-testid=stage]').getBoundingClientRect().height,
      next: document.querySelector('[data-testid=story-next]').getBoundingClientRect().height,
    }));
    assert.ok(sizes.wide <= 0 && sizes.high <= 0, JSON.stringify(sizes));
    assert.ok(sizes.stage >= stage && sizes.next >= 44, JSON.stringify(sizes));
    if (number === steps) break;
    await page.getByTestId('story-next').tap();
  }
}
