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

/** Runs to the end and returns the digest. */
export async function finish(page) {
  await page.getByTestId('run-to-end').click();
  await page.locator('[data-testid=status].good').waitFor({ timeout: 120_000 });
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

/** How many of the shown QP's EVs are in each state. */
export async function evs(page) {
  const grid = page.getByTestId('ev-grid');
  const [good, skip, bad] = await Promise.all(
    ['data-good', 'data-skip', 'data-bad'].map((name) => grid.getAttribute(name)),
  );
  return { good: Number(good), skip: Number(skip), bad: Number(bad) };
}

/** A counter's value as a number. */
export async function counter(page, name) {
  const text = await page.getByTestId(name).textContent();
  return Number(text.replaceAll(/[\s\u202f]/g, ''));
}
