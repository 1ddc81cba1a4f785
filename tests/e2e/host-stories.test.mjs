// Stories of hosts: every one is told from its first step to its last, each step shows its time, its tab and its selection; they
// are opened from either page.

import assert from 'node:assert/strict';
import test from 'node:test';
import { openRun, press, ready, tellsOnPhone, timePs } from './stage.mjs';

/** What the steps of each story show: simulated time in ms, the tab of the dock, and what the inspector shows. */
const STORIES = {
  'first-packet': [[0.002, 'charts', 'packet'], [0.02, 'charts', 'packet'], [0.07, 'tables', 'flow'], [0.105, 'tables', 'packet'], [5, 'charts', 'flow'], [0.2, 'process', 'vm']],
  'lazy-reconciliation': [[19, 'tables', 'vm'], [20.1, 'tables', 'vm'], [30, 'charts', 'vm'], [60, 'charts', 'nic'], [100, 'tables', 'nic'], [80, 'charts', 'vm']],
  'syn-flood': [[99, 'charts', 'vm'], [110, 'charts', 'vm'], [300, 'charts', 'vm'], [300, 'charts', 'vm'], [300, 'charts', 'nic'], [99, 'charts', 'vm']],
  'full-cache': [[0, 'tables', 'nic'], [1, 'tables', 'nic'], [5, 'tables', 'nic'], [20, 'charts', 'nic'], [50, 'charts', 'nic'], [0, 'charts', 'nic']],
  'vf-revoke': [[95, 'charts', 'vm'], [101, 'charts', 'nic'], [103, 'charts', 'vm'], [250, 'charts', 'nic'], [440, 'tables', 'vm'], [600, 'charts', 'vm'], [95, 'charts', 'vm']],
};

const card = (page) => page.getByTestId('story');

/** Waits until a step of a story shows what it has to. */
async function shows(page, story, number) {
  const [ms, tab, subject] = STORIES[story][number - 1];
  await page.locator(`[data-page=host] [data-testid=story][data-story=${story}][data-step="${number}"]`).waitFor();
  await page.waitForFunction(
    (ps) => Number(document.querySelector('[data-testid=time]').dataset.ps) === ps,
    Math.round(ms * 1e9),
    { timeout: 60_000 },
  );
  await ready(page);
  await page.locator(`[data-testid=tab-${tab}][aria-selected=true]`).waitFor();
  await page.getByTestId('inspector').getByTestId(subject).waitFor();
  assert.equal(new URL(page.url()).hash, `#story/${story}/${number}`);
}

for (const story of Object.keys(STORIES)) {
  test(`${story} is told from first to last by keyboard`, async (t) => {
    const page = await openRun(t, `#story/${story}/1`);
    const steps = STORIES[story].length;
    await shows(page, story, 1);
    await card(page).focus();
    await page.keyboard.press('End');
    await shows(page, story, steps);
    await page.keyboard.press('Home');
    await shows(page, story, 1);
    for (let number = 2; number <= steps; number++) {
      await page.keyboard.press(number % 2 ? 'ArrowRight' : 'PageDown');
      await shows(page, story, number);
    }
    assert.equal(await page.locator('.notice').count(), 0);
  });
}

test('both pages list all stories, and opening one changes the page', async (t) => {
  const page = await openRun(t, '#preset/link-dies');
  const listed = () => page.locator('.story-link').evaluateAll((links) => links.map((link) => link.dataset.testid).sort());
  const all = await listed();
  assert.equal(all.length, 13);
  await page.getByTestId('story-syn-flood').click();
  await shows(page, 'syn-flood', 1);
  assert.deepEqual(await listed(), all);
  assert.ok(await card(page).evaluate((card) => card === document.activeElement), 'its keys work at once');
  await page.getByTestId('story-trim-against-drop').click();
  await page.locator('[data-testid=app]:not([data-page]) [data-testid=story][data-story=trim-against-drop]').waitFor();
  await page.goBack();
  await shows(page, 'syn-flood', 1);
  await page.evaluate(() => { location.hash = '#story/lazy-reconciliation/2'; });
  await shows(page, 'lazy-reconciliation', 2);
});

test('what is done by hand is another run, and the way back is there', async (t) => {
  const page = await openRun(t, '#story/lazy-reconciliation/6');
  await shows(page, 'lazy-reconciliation', 6);
  const back = page.getByTestId('story-return');
  await back.waitFor({ state: 'hidden' });
  await page.getByTestId('act-policy-change').click();
  await page.getByTestId('host-events').getByText('by hand').waitFor();
  await back.click();
  await shows(page, 'lazy-reconciliation', 6);
  assert.equal(await page.getByTestId('host-events').getByText('by hand').count(), 0);
  await press(page, '.');
  await back.waitFor();
  await page.getByTestId('story-close').click();
  await card(page).waitFor({ state: 'detached' });
  assert.equal(new URL(page.url()).hash, '#preset/host-lazy-reconcile');
  assert.ok((await timePs(page)) >= 80e9, 'the run stays');
});

test('the card folds away, and is so after a reload', async (t) => {
  const page = await openRun(t, '#story/vf-revoke/2');
  await shows(page, 'vf-revoke', 2);
  const height = async () => (await card(page).boundingBox()).height;
  const high = await height();
  await page.getByTestId('story-fold').click();
  assert.ok((await height()) < 50 && (await height()) < high, `${await height()} px of ${high}`);
  assert.equal(await page.getByTestId('story-fold').getAttribute('aria-expanded'), 'false');
  // Its steps can be gone through all the same.
  await page.getByTestId('story-next').click();
  await shows(page, 'vf-revoke', 3);
  await page.reload();
  await shows(page, 'vf-revoke', 3);
  assert.ok((await height()) < 50);
  await page.getByTestId('story-fold').click();
  assert.ok((await height()) > 60);
});

test('the card is as high at each step, so that nothing jumps', async (t) => {
  const page = await openRun(t, '#story/first-packet/1');
  const heights = new Set();
  for (let number = 1; number <= STORIES['first-packet'].length; number++) {
    await page.locator('.story-dots button').nth(number - 1).click();
    await shows(page, 'first-packet', number);
    heights.add(Math.round((await card(page).boundingBox()).height));
  }
  assert.equal(heights.size, 1, [...heights].join(', '));
  // 135 px was too much of the stage.
  assert.ok(Math.max(...heights) <= 120, [...heights].join(', '));
});

test('a host story on a phone fits, and its buttons are large enough for fingers', async (t) => {
  const page = await openRun(t, '#story/full-cache', { context: { viewport: { width: 390, height: 844 }, hasTouch: true } });
  await tellsOnPhone(page, STORIES['full-cache'].length, 180);
});

test('links to steps that are not there are refused', async (t) => {
  const page = await openRun(t, '#story/vf-revoke/1');
  await page.evaluate(() => { location.hash = '#story/vf-revoke/99'; });
  await page.locator('.notice').filter({ hasText: /no step "99"; its steps are 1 to 7/ }).waitFor();
});

test('a step about the scenario has charts beside it that are of its time', async (t) => {
  const page = await openRun(t, '#story/syn-flood/6');
  await shows(page, 'syn-flood', 6);
  // 61 connections were opened by then: their packets are measured.
  await page.getByTestId('latency-table').waitFor();
});
