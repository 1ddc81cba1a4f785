// Stories: every one is told from its first step to its last, and each step shows its time and its selection.

import assert from 'node:assert/strict';
import test from 'node:test';
import { openPage } from './browser.mjs';
import { find, openRun, press, ready, tellsOnPhone, timePs } from './stage.mjs';

/** What the steps of each story show: simulated time in µs (the end of the run where that comes first) and the selection. */
const STORIES = {
  'link-dies': [[0, 'QP 0'], [110, 'p1/t0.0-t1.2'], [150, 'QP 0'], [200, 'p1/t0.0-t1.2'], [420, 'QP 0'], [50, 'QP 0']],
  't1-reboots': [[0, 'p1/t1.1'], [120, 'p1/t1.1'], [150, 'QP 0'], [300, 'QP 0'], [500, 'QP 0'], [50, 'p2/t1.1']],
  'trim-against-drop': [[0, 'p0/n0'], [10, 'p0/n0'], [301, 'QP 0'], [20, 'p0/n0'], [100, 'QP 0'], [304, 'QP 0'], [0, 'p0/n0']],
  'incast-victim': [[0, 'QP 7'], [20, 'p0/t0.0'], [200, 'QP 7'], [522.26044, 'QP 7'], [200, 'QP 7'], [301.41076, 'QP 7'], [0, 'QP 7']],
  'nic-optic': [[900, 'NIC 5'], [1200, 'NIC 5'], [5000, 'QP 4'], [100_000, 'QP 4'], [136_800.683648, 'QP 4'], [900, 'NIC 5']],
  'roce-against-mrc': [[0, 'QP 0'], [250, 'p0/t1.1'], [720, 'p0/t1.1'], [12_157.0015, 'QP 0'], [250, 'QP 0'], [3553.928, 'QP 0'], [199, 'QP 0']],
  'training-step': [[820, 'QP 0'], [1250, 'p1/t0.1-t1.2'], [1700, 'QP 0'], [2560, 'p1/t0.1-t1.2'], [3430, 'p2/t1.3'], [5064.18976, 'p2/t1.3'], [1190, 'p1/n5']],
};

const card = (page) => page.getByTestId('story');

/** Waits until a step of a story shows what it has to. */
async function shows(page, story, number) {
  const [us, name] = STORIES[story][number - 1];
  await page.locator(`[data-testid=story][data-story=${story}][data-step="${number}"]`).waitFor();
  await page.waitForFunction(
    (ps) => Number(document.querySelector('[data-testid=time]').dataset.ps) === ps,
    Math.round(us * 1e6),
    { timeout: 60_000 },
  );
  await ready(page);
  await page.getByTestId('subject').filter({ hasText: name.replace(/^(NIC|QP) /, '') }).waitFor();
  assert.equal(new URL(page.url()).hash, `#story/${story}/${number}`);
}

for (const story of Object.keys(STORIES)) {
  test(`${story} is told from first to last by keyboard`, async (t) => {
    const page = await openRun(t, `#story/${story}/1`);
    const steps = STORIES[story].length;
    await shows(page, story, 1);
    await card(page).focus();
    for (let number = 2; number <= steps; number++) {
      await page.keyboard.press(number % 2 ? 'ArrowRight' : 'PageDown');
      await shows(page, story, number);
    }
    await page.keyboard.press('PageDown');
    await shows(page, story, steps);
    await page.keyboard.press('PageUp');
    await shows(page, story, steps - 1);
    assert.equal(await page.locator('.notice').count(), 0);
  });
}

test('a story by mouse: broken in between, and back', async (t) => {
  const page = await openRun(t);
  // The page opens with a story, without a link in the address.
  assert.equal(new URL(page.url()).hash, '');
  assert.equal(await card(page).getAttribute('data-story'), 'link-dies');
  await page.getByTestId('story-link-dies').click();
  await page.getByTestId('story-next').click();
  await shows(page, 'link-dies', 2);
  const back = page.getByTestId('story-return');
  await back.waitFor({ state: 'hidden' });
  await find(page, 'QP 3');
  await press(page, '.');
  await back.click();
  await shows(page, 'link-dies', 2);

  // What is broken by hand is another run; the story has its own.
  await find(page, 'p2/t1.0');
  await page.getByTestId('tool-break').click();
  await page.getByTestId('locator').waitFor();
  const box = await page.getByTestId('locator').boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await back.click();
  await shows(page, 'link-dies', 2);
  await page.getByTestId('tool-select').click();
  await page.locator('.story-dots button').nth(4).click();
  await shows(page, 'link-dies', 5);
  await page.getByTestId('story-close').click();
  await card(page).waitFor({ state: 'detached' });
  assert.equal(await timePs(page), 420e6);
  assert.equal(new URL(page.url()).hash, '#preset/link-dies');
});

test('a story on a phone fits, and its buttons are large enough for fingers', async (t) => {
  const page = await openRun(t, '#story/trim-against-drop', { context: { viewport: { width: 360, height: 740 }, hasTouch: true } });
  await tellsOnPhone(page, STORIES['trim-against-drop'].length, 100);
});

test('links to what is no story are refused with a message', async (t) => {
  for (const [link, text] of [
    ['#story/nonsense/1', /there is no story "nonsense"; the nearest of \d+ are [\w-]+, [\w-]+, [\w-]+/],
    ['#story/link-dies/7', /no step "7"; its steps are 1 to 6/],
  ]) {
    const page = await openPage(t, link);
    await page.locator('.notice').filter({ hasText: text }).waitFor();
  }
});
