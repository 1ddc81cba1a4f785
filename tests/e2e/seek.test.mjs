// Time in both directions: scrubbing, keys, marks, bookmarks, magnifying down to nanoseconds, and lanes.

import assert from 'node:assert/strict';
import test from 'node:test';
import { counter, find, finish, openRun, press, reach, ready, timePs } from './stage.mjs';

const plots = (page) => page.getByTestId('timeline-plots');

/** Waits until the run is at a time that `holds`. */
async function at(page, holds, what) {
  const end = Date.now() + 30_000;
  while (!holds(await timePs(page))) {
    assert.ok(Date.now() < end, `${what}: the time is ${await timePs(page)} ps`);
    await page.waitForTimeout(50);
  }
}

/** What the timeline shows, in ps. */
async function shown(page) {
  const [from, to, known] = await Promise.all(
    ['data-from', 'data-to', 'data-known'].map((name) => plots(page).getAttribute(name)),
  );
  return { from: Number(from), to: Number(to), known: Number(known), length: Number(to) - Number(from) };
}

/** Runs to the end, and waits until the axis ends there too; the digest. */
async function over(page) {
  const digest = await finish(page);
  await page.waitForFunction(
    () => document.querySelector('#timeline-plots').dataset.to === document.querySelector('[data-testid=time]').dataset.ps,
  );
  return digest;
}

/** A point of the timeline at a share of its width, where there is no mark. */
async function point(page, share) {
  const box = await plots(page).boundingBox();
  return { x: box.x + box.width * share, y: box.y + 40 };
}

test('dragging goes back and forth, what is known stays, and the run ends as before', async (t) => {
  const page = await openRun(t);
  const digest = await over(page);
  const end = await timePs(page);
  const placed = await counter(page, 'packet-hops');
  const from = await point(page, 0.9);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  const to = await point(page, 0.25);
  for (let part = 1; part <= 10; part += 1) {
    await page.mouse.move(from.x + ((to.x - from.x) * part) / 10, from.y);
  }
  await page.mouse.up();
  await at(page, (ps) => ps > 0 && ps < 1e12, 'after the drag');
  const { to: reachPs } = await shown(page);
  const expected = reachPs * 0.25;
  await at(page, (ps) => Math.abs(ps - expected) < reachPs * 0.01, 'a quarter of the run');
  assert.equal((await shown(page)).known, end, 'the rest stays known');
  await page.locator('.tl-over .future').waitFor({ state: 'attached' });
  assert.ok((await counter(page, 'packet-hops')) < placed, 'counters are those of now');
  // Marks of later times are there, and the run can go on.
  assert.ok((await page.locator('[data-testid=marks] [data-kind=broke]').count()) > 0);
  assert.equal(await finish(page), digest);
  assert.equal(await timePs(page), end);
});

test('a click goes to a time, play goes on from there', async (t) => {
  const page = await openRun(t);
  await over(page);
  const { x, y } = await point(page, 0.5);
  await page.mouse.click(x, y);
  const { to } = await shown(page);
  await at(page, (ps) => Math.abs(ps - to / 2) < to * 0.01, 'the middle');
  const before = await timePs(page);
  await press(page, 'Space');
  await at(page, (ps) => ps > before, 'playing');
  await press(page, 'Space');
});

test('keys go through time', async (t) => {
  const page = await openRun(t);
  await over(page);
  const end = await timePs(page);
  await plots(page).focus();
  await page.keyboard.press('Home');
  await at(page, (ps) => ps === 0, 'Home');
  assert.equal(await page.getByTestId('to-start').isDisabled(), true);
  const { length } = await shown(page);
  await page.keyboard.press('ArrowRight');
  await at(page, (ps) => Math.abs(ps - length * 0.01) <= 1, 'one step');
  await page.keyboard.press('Shift+ArrowRight');
  await at(page, (ps) => Math.abs(ps - length * 0.11) <= 2, 'a big step more');
  await page.keyboard.press('ArrowLeft');
  await at(page, (ps) => Math.abs(ps - length * 0.1) <= 3, 'and one back');
  await page.keyboard.press('End');
  await at(page, (ps) => ps === end, 'End');
  assert.match(await plots(page).getAttribute('aria-valuetext'), /[µm]s$/);
  assert.equal(await plots(page).evaluate((element) => element === document.activeElement), true, 'the focus stays');
});

test('from mark to mark, of any kind and of one', async (t) => {
  const page = await openRun(t);
  await over(page);
  await page.getByTestId('landmark').selectOption('fault or repair');
  // The preset's link dies at 100 µs and works again at 300 µs.
  await press(page, '<');
  await at(page, (ps) => ps === 300e6, 'the repair');
  await press(page, '<');
  await at(page, (ps) => ps === 100e6, 'the fault');
  await page.getByTestId('announcement').filter({ hasText: 'p1/t0.0-t1.2 down' }).waitFor({ state: 'attached' });
  await page.getByTestId('previous-mark').waitFor();
  await page.waitForFunction(() => document.querySelector('[data-testid=previous-mark]').disabled);
  await page.getByTestId('landmark').selectOption('loss inferred');
  await page.getByTestId('next-mark').click();
  await at(page, (ps) => ps > 100e6 && ps < 200e6, 'the first loss inferred');
});

test('one event back is one event less', async (t) => {
  const page = await openRun(t);
  await press(page, 'Space');
  await reach(page, 5);
  await press(page, 'Space');
  await page.locator('[data-testid=play][aria-label=Play]').waitFor();
  await press(page, '.');
  await page.getByTestId('step-text').waitFor();
  const events = await counter(page, 'events');
  const digest = await page.getByTestId('digest').textContent();
  const has = (n) =>
    page.waitForFunction(
      (n) => Number(document.querySelector('[data-testid=events]').textContent.replaceAll(/[\s\u202f]/g, '')) === n,
      n,
    );
  await press(page, ',');
  await has(events - 1);
  await page.getByTestId('step-back').click();
  await has(events - 2);
  await press(page, '.');
  await has(events - 1);
  await press(page, '.');
  await has(events);
  assert.equal(await page.getByTestId('digest').textContent(), digest);
});

test('the timeline magnifies down to nanoseconds and shows the whole run again', async (t) => {
  const page = await openRun(t);
  await over(page);
  const whole = await shown(page);
  const { x, y } = await point(page, 0.25);
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -400);
  await page.waitForFunction((to) => Number(document.querySelector('#timeline-plots').dataset.to) < to, whole.to);
  const near = await shown(page);
  const pointed = whole.to * 0.25;
  assert.ok(near.length < whole.length / 1.5);
  assert.ok(Math.abs(near.from + near.length * 0.25 - pointed) < whole.length * 0.01, 'the pointer stays where it is');
  await page.mouse.click(x, y);
  await at(page, (ps) => Math.abs(ps - pointed) < whole.length * 0.01, 'a quarter');
  await plots(page).focus();
  for (let press = 0; press < 40; press += 1) await page.keyboard.press('+');
  await page.waitForFunction(() => {
    const { from, to } = document.querySelector('#timeline-plots').dataset;
    return Number(to) - Number(from) === 10_000;
  });
  const now = await timePs(page);
  const tight = await shown(page);
  assert.ok(tight.from <= now && now <= tight.to, 'now is in sight');
  const labels = await page.locator('.timeline .tl-axis text').allTextContents();
  assert.ok(labels.length >= 2 && new Set(labels).size === labels.length, `${labels}`);
  assert.match(await page.getByTestId('timeline-note').textContent(), /bins of/);
  // A step of the arrow key is a hundredth of what is shown.
  await page.keyboard.press('ArrowRight');
  await at(page, (ps) => ps === now + 100, '100 ps on');
  // The strip below moves what is shown.
  const strip = await page.getByTestId('timeline-overview').boundingBox();
  await page.mouse.click(strip.x + strip.width * 0.8, strip.y + strip.height / 2);
  await page.waitForFunction(
    (from) => Number(document.querySelector('#timeline-plots').dataset.from) > from,
    whole.to * 0.7,
  );
  await page.mouse.dblclick(x, y);
  await page.waitForFunction((to) => Number(document.querySelector('#timeline-plots').dataset.to) === to, whole.to);
});

test('bookmarks are kept by the browser, have names, and are gone to', async (t) => {
  const page = await openRun(t);
  await press(page, 'Space');
  await reach(page, 30);
  await press(page, 'Space');
  await page.locator('[data-testid=play][aria-label=Play]').waitFor();
  await page.waitForTimeout(300);
  const first = await timePs(page);
  await press(page, 'Shift+B');
  await page.getByTestId('bookmarks').locator('summary').click();
  const name = page.getByTestId('bookmark').getByRole('textbox');
  await name.fill('the start of it');
  await name.press('Enter');
  await page.reload();
  await ready(page);
  await page.getByTestId('bookmarks').locator('summary').click();
  assert.equal(await page.getByTestId('bookmark').getByRole('textbox').inputValue(), 'the start of it');
  await page.getByTestId('bookmark').locator('button').first().click();
  await at(page, (ps) => ps === first, 'the bookmark');
  assert.equal(await page.getByTestId('set-bookmark').getAttribute('aria-pressed'), 'true');
  await page.getByTestId('set-bookmark').click();
  await page.getByTestId('bookmarks').waitFor({ state: 'detached' });
});

test('another fault after going back makes another future', async (t) => {
  const page = await openRun(t);
  await press(page, 'Space');
  await reach(page, 40);
  await press(page, 'Space');
  await find(page, 'p0/t0.1-t1.2');
  await page.getByTestId('toggle-fault').click();
  await page.getByTestId('faults').filter({ hasText: 'p0/t0.1-t1.2 down' }).waitFor();
  await plots(page).focus();
  await page.keyboard.press('Home');
  await at(page, (ps) => ps === 0, 'the start');
  await page.getByTestId('faults').filter({ hasText: 'p0/t0.1-t1.2 down' }).waitFor();
  await find(page, 'p0/t0.0-t1.1');
  await page.getByTestId('subject').filter({ hasText: 'p0/t0.0-t1.1' }).waitFor();
  await page.getByTestId('toggle-fault').click();
  await page.getByTestId('faults').filter({ hasText: 'p0/t0.0-t1.1 down' }).waitFor();
  await page.getByText('is forgotten').first().waitFor();
  assert.doesNotMatch(await page.getByTestId('faults').textContent(), /p0\/t0\.1-t1\.2/);
  await page.waitForFunction(() => {
    const { known } = document.querySelector('#timeline-plots').dataset;
    return Number(known) === Number(document.querySelector('[data-testid=time]').dataset.ps);
  });
});

test('lanes are chosen, pinned and added, and the choice is kept', async (t) => {
  const page = await openRun(t);
  await over(page);
  const names = () => page.locator('.tl-names > .tl-name:not(.marks, .faults, .axis, .overview)').allTextContents();
  const before = await names();
  assert.ok(before.includes('Plane 0') && before.includes('Drops'), `${before}`);
  await page.getByTestId('lanes').locator('summary').click();
  await page.getByTestId('lanes').getByRole('checkbox', { name: 'Plane 0' }).click();
  await page.getByTestId('lanes').getByRole('button', { name: 'Pin Drops to the top' }).click();
  assert.ok(!before.includes('NACKs'), 'only when somebody wants it');
  await page.getByTestId('lanes').getByRole('checkbox', { name: 'NACKs' }).click();
  await page.locator('.tl-name', { hasText: 'NACKs' }).waitFor();
  await page.getByTestId('lane-qp').fill('3');
  await page.getByTestId('lane-qp').press('Enter');
  await page.locator('.tl-name', { hasText: 'QP 3' }).waitFor();
  const chosen = await names();
  assert.equal(chosen[0], 'Drops');
  assert.ok(!chosen.includes('Plane 0'));
  await page.reload();
  await ready(page);
  await page.locator('.tl-name', { hasText: 'QP 3' }).waitFor();
  assert.equal((await names())[0], 'Drops');
});

test('the deepest queue and the states of EVs are lanes, the same after going back and forth', async (t) => {
  const page = await openRun(t, '#preset/incast');
  await over(page);
  await page.getByTestId('lanes').locator('summary').click();
  for (const name of ['Queue', 'EV states']) await page.getByTestId('lanes').getByRole('checkbox', { name }).click();
  const drawn = () => page.locator('.tl-plot.queue path, .tl-plot.evs path').evaluateAll((all) => all.map((path) => path.getAttribute('d')));
  await page.locator('.tl-plot.evs path.evs-skip').waitFor();
  const before = await drawn();
  assert.equal(before.length, 4, 'a queue, and three states on each other');
  assert.ok(before[0].includes('V0.0'), 'the deepest is as high as the lane');
  assert.match(await page.locator('.tl-value.evs').textContent(), /^\d[\d\s\u202f]*\/\d+\/\d+$/);
  assert.match(await page.locator('.tl-name.queue').getAttribute('title'), /look at all queues at the end of each bin/);
  await plots(page).focus();
  await page.keyboard.press('Home');
  await at(page, (ps) => ps === 0, 'the start');
  await page.waitForTimeout(300);
  assert.deepEqual(await drawn(), before);
  await page.keyboard.press('End');
  await page.waitForTimeout(300);
  assert.deepEqual(await drawn(), before);
});

test('on a phone the time is scrubbed with a finger', async (t) => {
  const page = await openRun(t, '', { context: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } });
  await page.getByTestId('run-to-end').click();
  await page.locator('[data-testid=play][aria-label=Play]:disabled').waitFor({ timeout: 120_000 });
  await page.getByTestId('panel-timeline').click();
  const { x, y } = await point(page, 0.5);
  await page.touchscreen.tap(x, y);
  const { to } = await shown(page);
  await at(page, (ps) => Math.abs(ps - to / 2) < to * 0.02, 'the middle');
  const buttons = await page.locator('.controls .buttons button').evaluateAll((all) =>
    all.map((button) => button.getBoundingClientRect()).filter((box) => box.right > innerWidth || box.left < 0),
  );
  assert.deepEqual(buttons, [], 'all buttons are in sight');
});
