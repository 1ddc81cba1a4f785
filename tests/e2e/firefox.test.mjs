// The core of the page in Firefox: loading, playing, breaking, going back, stories, links, keys. What else the page does is tested in
// Chromium only.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test, { after, before } from 'node:test';
import { firefoxPath, launchFirefox, openInFirefox, url } from './browser.mjs';
import { find, finish, locate, openScenario, press, reach, ready, timePs } from './stage.mjs';

/** Why there are no tests here. `cargo xtask` says what to do about it. */
const skip = firefoxPath ? false : 'not run in Firefox: none was given by FLOWGLASS_FIREFOX';

let browser;
before(async () => {
  if (!skip) browser = await launchFirefox();
});
after(async () => browser?.close());

/** Opens the page and waits until its run is ready. */
async function openRun(t, path) {
  const page = await openInFirefox(t, browser, path);
  await ready(page);
  return page;
}

/** The first of the engine's golden runs, as its tests read it: what it is, and the digest that it has natively. */
async function golden() {
  const source = await readFile(new URL('../../crates/sim/tests/golden/mod.rs', import.meta.url), 'utf8');
  const [, name, body, digest] = source.match(/\(\s*"([^"]+)",\s*r#"(.+?)"#,\s*"([0-9a-f]{16})"/s);
  return { scenario: { version: 1, name, ...JSON.parse(`{${body}}`) }, digest };
}

test('a golden run has the digest that it has natively', { skip }, async (t) => {
  const { scenario, digest } = await golden();
  const page = await openRun(t, '#preset/eight-planes');
  await openScenario(page, scenario);
  assert.equal(await finish(page), digest);
});

test('play, pause, break a link on the stage, share: the link repeats the run', { skip }, async (t) => {
  const page = await openRun(t, '#preset/eight-planes');
  const name = 'p2/t0.0-t1.1';
  const at = await locate(page, name);
  await page.getByTestId('speed').fill('13');
  await page.getByTestId('play').click();
  await reach(page, 15);
  await page.getByTestId('play').click();
  await page.locator('[data-testid=play][aria-label=Play]').waitFor();
  const paused = await timePs(page);
  await press(page, 'b');
  await page.mouse.click(at.x, at.y);
  await page.getByTestId('fault').filter({ hasText: `${name} down` }).filter({ hasText: 'by hand' }).waitFor();
  await press(page, 'b');
  const digest = await finish(page);
  assert.ok((await timePs(page)) > paused);
  await page.getByTestId('share').click();
  const link = await page.getByTestId('share-link').inputValue();
  assert.ok(link.startsWith(`${url}#`), link);
  const other = await page.context().newPage();
  await other.goto(link);
  await ready(other);
  assert.equal(await other.getByTestId('fault').count(), 1);
  assert.equal(await finish(other), digest);
});

test('going back on the timeline, and on again', { skip }, async (t) => {
  const page = await openRun(t, '#preset/link-dies');
  const digest = await finish(page);
  const end = await timePs(page);
  const box = await page.getByTestId('timeline-plots').boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + 40);
  await page.waitForFunction((end) => Number(document.querySelector('[data-testid=time]').dataset.ps) < end, end);
  const middle = await timePs(page);
  assert.ok(Math.abs(middle - end / 2) < end * 0.02, `${middle} ps of ${end} ps`);
  assert.equal(await finish(page), digest);
});

test('a story goes on by a click and by a key', { skip }, async (t) => {
  const page = await openRun(t, '#story/link-dies/1');
  const card = (step) => page.locator(`[data-testid=story][data-story=link-dies][data-step="${step}"]`);
  await card(1).waitFor();
  await page.getByTestId('story-next').click();
  await card(2).waitFor();
  await page.waitForFunction(() => Number(document.querySelector('[data-testid=time]').dataset.ps) === 110e6);
  await page.getByTestId('subject').filter({ hasText: 'p1/t0.0-t1.2' }).waitFor();
  await page.getByTestId('story').focus();
  await page.keyboard.press('PageDown');
  await card(3).waitFor();
});

test('keys play, step, find, break and list themselves', { skip }, async (t) => {
  const page = await openRun(t, '#preset/eight-planes');
  await press(page, '.');
  await page.waitForFunction(() => document.querySelector('[data-testid=events]').textContent === '1');
  await press(page, 'Space');
  await page.locator('[data-testid=play][aria-label=Pause]').waitFor();
  await press(page, 'Space');
  await press(page, '/');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'find');
  await page.keyboard.type('p0/t0.1-t1.2');
  await page.keyboard.press('Enter');
  await page.getByTestId('subject').filter({ hasText: 'p0/t0.1-t1.2' }).waitFor();
  await press(page, '?');
  await page.getByTestId('help-dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByTestId('help-dialog').waitFor({ state: 'detached' });
  await find(page, 'QP 0');
  await page.getByTestId('ev-grid').waitFor();
});
