// Faults drawn on the timeline: moved, made longer, added and removed by pointer, finger and key.

import assert from 'node:assert/strict';
import test from 'node:test';
import { openRun, ready, timePs } from './stage.mjs';

const US = 1e6;

/** One link that is down from 200 to 400 µs in a run of 1 ms, and a switch that reboots. */
const SCENARIO = {
  version: 1,
  name: 'Faults to be moved',
  until: '1ms',
  fabric: { planes: 2, t0_per_plane: 4, t1_per_plane: 4, nics_per_t0: 2, nic_link_rate: '100Gbps' },
  traffic: [{ kind: 'permutation', shift: 2, bytes: '8MB' }],
  faults: [
    { at: '200us', kind: 'link_down', link: 'p0/t0.0-t1.0' },
    { at: '400us', kind: 'link_up', link: 'p0/t0.0-t1.0' },
    { at: '300us', kind: 'switch_reboot', switch: 'p1/t1.2', duration: '100us' },
  ],
};

/** The page with that scenario at time 0: the axis reaches to 500 µs, some way after the end of the next fault. */
async function opened(t, options) {
  const page = await openRun(t, '#preset/incast', options);
  await page.getByTestId('file-input').setInputFiles({
    name: 'scenario.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(SCENARIO)),
  });
  // A phone shows no name.
  await page.getByTestId('scenario-name').filter({ hasText: SCENARIO.name }).waitFor({ state: 'attached' });
  await ready(page);
  return page;
}

const bar = (page, fault) => page.locator(`[data-testid="lane-fault"][data-fault="${fault}"]`);

/** From when to when a bar is, in µs. */
async function span(page, fault) {
  const of = async (name) => Number(await bar(page, fault).getAttribute(`data-${name}`)) / US;
  return [await of('from'), await of('to')];
}

async function until(page, fault, wanted) {
  await page.waitForFunction(
    ([fault, [from, to]]) => {
      const bar = document.querySelector(`[data-testid="lane-fault"][data-fault="${fault}"]`);
      return bar && Number(bar.dataset.from) / 1e6 === from && Number(bar.dataset.to) / 1e6 === to;
    },
    [fault, wanted],
  );
}

/** Where a time is on the lane, in the window, and how long a pixel is in µs. */
async function place(page, us) {
  const plots = page.getByTestId('timeline-plots');
  const [from, to] = [Number(await plots.getAttribute('data-from')), Number(await plots.getAttribute('data-to'))];
  const lane = await page.getByTestId('fault-lane').boundingBox();
  return { x: lane.x + ((us * US - from) / (to - from)) * lane.width, y: lane.y + lane.height / 2 };
}

/** Drags from one point to another, in steps. */
async function drag(page, from, to) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, to.y, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
}

/** The middle of a bar's upper part, which is its body. */
async function middle(page, fault) {
  const box = await bar(page, fault).locator('.body').boundingBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

test('a repair is the end of the bar of what it heals', async (t) => {
  const page = await opened(t);
  assert.equal(await page.getByTestId('lane-fault').count(), 2);
  assert.deepEqual(await span(page, 0), [200, 400]);
  assert.deepEqual(await span(page, 2), [300, 400]);
  await bar(page, 0).filter({ hasText: 'p0/t0.0-t1.0 down' }).waitFor();
});

test('a bar is dragged in time with its end, and that is one step to take back', async (t) => {
  const page = await opened(t);
  const from = await middle(page, 0);
  const [a, b] = [await place(page, 100), await place(page, 200)];
  await drag(page, from, { x: from.x - (b.x - a.x), y: from.y });
  await until(page, 0, [100, 300]);
  await ready(page);
  await page.keyboard.press('Control+z');
  await until(page, 0, [200, 400]);
});

test('the end of a bar is dragged alone: the repair moves, or the duration changes', async (t) => {
  const page = await opened(t);
  for (const [fault, wanted] of [[0, [200, 300]], [2, [300, 360]]]) {
    const box = await bar(page, fault).locator('.grip').boundingBox();
    const y = box.y + box.height / 2;
    const end = await place(page, (await span(page, fault))[1]);
    const to = await place(page, wanted[1]);
    // Within the lane, where the end may be its edge.
    await drag(page, { x: end.x - 2, y }, { x: to.x, y });
    await until(page, fault, wanted);
    await ready(page);
  }
});

test('the run comes back to the time that was shown', async (t) => {
  const page = await opened(t);
  const at = await place(page, 150);
  await page.mouse.click(at.x, at.y);
  await page.waitForFunction(() => Number(document.querySelector('[data-testid=time]').dataset.ps) > 140e6);
  // On the way there, other times are shown.
  await page.getByTestId('seeking').waitFor({ state: 'hidden' });
  const now = await timePs(page);
  await bar(page, 0).focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction((ps) => Number(document.querySelector('[data-testid=time]').dataset.ps) === ps, now);
  assert.ok((await span(page, 0))[0] > 200);
});

test('by key: moved by a step, made longer, opened, removed', async (t) => {
  const page = await opened(t);
  await bar(page, 0).focus();
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => Number(document.querySelector('[data-fault="0"]').dataset.from) < 200e6);
  const [from, to] = await span(page, 0);
  assert.equal(to - from, 200, 'the end goes with it');
  // The focus has stayed, although the run has begun again.
  await page.keyboard.press('Shift+ArrowRight');
  await page.waitForFunction((ps) => Number(document.querySelector('[data-fault="0"]').dataset.to) > ps, to * US);
  assert.equal((await span(page, 0))[0], from);
  await page.keyboard.press('Enter');
  await page.getByTestId('fault-begins').fill('123456ns');
  await page.getByTestId('fault-ends').fill('0.2ms');
  await page.keyboard.press('Enter');
  await until(page, 0, [123.456, 200]);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'lane-fault-0');
  await page.keyboard.press('Delete');
  await page.waitForFunction(() => document.querySelectorAll('[data-testid=lane-fault]').length === 1);
  // The reboot is the first of the list now: the repair went too.
  assert.deepEqual(await span(page, 0), [300, 400]);
  await page.waitForFunction(() => document.activeElement.id === 'add-fault');
});

test('a new one is drawn on an empty place, with its kind and place in a form', async (t) => {
  const page = await opened(t);
  const [from, to] = [await place(page, 420), await place(page, 480)];
  await drag(page, from, to);
  await page.getByTestId('fault-way').selectOption('link_loss');
  await page.getByTestId('new-fault-place').fill('p1/n3');
  await page.getByTestId('new-fault-rate').fill('20 %');
  assert.equal(await page.getByTestId('fault-begins').inputValue(), '420us');
  await page.getByTestId('fault-apply').click();
  await until(page, 3, [420, 480]);
  await bar(page, 3).filter({ hasText: 'p1/n3 loses 20 %' }).waitFor();
});

test('the button adds one at the time shown; what cannot be is refused in the form', async (t) => {
  const page = await opened(t);
  await page.getByTestId('add-fault').click();
  await page.getByTestId('fault-way').selectOption('link_down');
  await page.getByTestId('new-fault-place').fill('p9/n3');
  await page.getByTestId('fault-apply').click();
  await page.getByTestId('fault-card-problem').waitFor();
  await page.getByTestId('new-fault-place').fill('p1/n3');
  await page.getByTestId('fault-begins').fill('50us');
  await page.getByTestId('fault-ends').fill('40us');
  await page.getByTestId('fault-apply').click();
  await page.getByTestId('fault-card-problem').filter({ hasText: 'not after its beginning' }).waitFor();
  await page.getByTestId('fault-ends').fill('');
  await page.getByTestId('fault-apply').click();
  await until(page, 3, [50, 1_000]);
});

test('by finger: a tap selects, a drag moves', async (t) => {
  const page = await opened(t, { context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } });
  const from = await middle(page, 0);
  await page.touchscreen.tap(from.x, from.y);
  await page.locator('[data-testid="lane-fault"][data-fault="0"][aria-pressed="true"]').waitFor();
  const session = await page.context().newCDPSession(page);
  const [a, b] = [await place(page, 200), await place(page, 300)];
  const touch = (type, x) => session.send('Input.dispatchTouchEvent', {
    type, touchPoints: type === 'touchEnd' ? [] : [{ x, y: from.y }],
  });
  await touch('touchStart', from.x);
  for (let part = 1; part <= 8; part += 1) await touch('touchMove', from.x + ((b.x - a.x) * part) / 8);
  await touch('touchEnd', 0);
  await page.waitForFunction(() => Number(document.querySelector('[data-fault="0"]').dataset.from) > 280e6);
  const [begin, end] = await span(page, 0);
  assert.equal(end - begin, 200);
});
