// Every way to break something: from the stage's menu, the inspector and the faults panel, with keys and without.

import assert from 'node:assert/strict';
import test from 'node:test';
import { startBrowser, url } from './browser.mjs';
import { end, find, finish, locate, openRun, openScenario, place, press, reach, ready } from './stage.mjs';

const SCENARIO = {
  version: 1,
  name: 'Much to break',
  until: '3ms',
  fabric: { planes: 4, t0_per_plane: 4, t1_per_plane: 4, nics_per_t0: 4, nic_link_rate: '100Gbps' },
  traffic: [{ kind: 'permutation', shift: 4, bytes: '4MB' }],
};

/** Each way with its place, what is filled in beside the defaults, and what the list of faults then says. */
const WAYS = [
  ['link_down', 'p0/t0.0-t1.1', { direction: 'down' }, 'p0/t0.0-t1.1 down downward'],
  ['link_up', 'p0/t0.0-t1.1', {}, 'p0/t0.0-t1.1 up'],
  ['link_loss', 'p0/n3', { rate: '0.5 %', direction: 'up' }, 'p0/n3 loses 0.5 % upward'],
  ['link_corrupt', 'p1/t0.2-t1.2', {}, 'p1/t0.2-t1.2 damages 1 %'],
  ['link_flap', 'p1/t0.1-t1.0', { down: '10us', lengths: 'exact', lasts: '200us' }, 'p1/t0.1-t1.0 flaps'],
  ['switch_down', 'p2/t1.0', {}, 'p2/t1.0 dead'],
  ['switch_up', 'p2/t1.0', {}, 'p2/t1.0 back'],
  ['switch_reboot', 'p2/t1.3', { duration: '50 µs' }, 'p2/t1.3 reboots'],
  ['switch_corrupt', 'p3/t0.1', { rate: '2' }, 'p3/t0.1 damages 2 %'],
  ['nic_port_down', '5', { port: '2', duration: '100us' }, 'NIC 5 port of plane 2 down'],
  ['nic_flap', 'NIC 6', { duration: '30us' }, 'NIC 6 flaps'],
  ['nic_refuses', 'n7', { rate: '20', reason: 'no_bitmap' }, 'NIC 7 refuses 20 %: NO_BITMAP'],
  ['nic_penalty', '8', { penalty: '100' }, 'NIC 8 reports penalty 100'],
  ['links_down', null, { count: '2', tier: 't0_t1', plane: '3', spacing: '5us' }, '2 T0–T1 links of plane 3 down'],
  ['tier_loss', null, { rate: '0.01', tier: 'nic', direction: 'down' }, 'NIC–T0 links lose 0.01 % downward'],
];

/** Fills in a form's fields, texts and choices alike. */
async function fill(page, form, fields) {
  for (const [name, value] of Object.entries(fields)) {
    const field = page.getByTestId(`${form}-${name}`);
    const tag = await field.evaluate((element) => element.tagName);
    if (tag === 'SELECT') await field.selectOption(value);
    else await field.fill(value);
  }
}

test('every way to break something starts from the page, and the shared link repeats it all', async (t) => {
  const context = await startBrowser(t, { context: { permissions: ['clipboard-read', 'clipboard-write'] } });
  const page = await context.newPage();
  await page.goto(url);
  await openScenario(page, SCENARIO);
  await page.getByTestId('speed').fill('13');
  await press(page, 'Space');
  await reach(page, 10);
  await press(page, 'Space');
  for (const [kind, place, fields, words] of WAYS) {
    await page.getByTestId('fault-kind').selectOption(kind);
    if (place) await page.getByTestId('fault-place').fill(place);
    await fill(page, 'fault', fields);
    await page.getByTestId('fault-do').click();
    await page.getByTestId('fault').filter({ hasText: words }).filter({ hasText: 'by hand' }).waitFor();
  }
  await page.getByTestId('tier-fault').filter({ hasText: 'NIC–T0 links lose 0.01 % downward' }).waitFor();
  const digest = await end(page);

  await page.getByTestId('share').click();
  await page.getByTestId('share-status').filter({ hasText: 'Copied' }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await context.newPage();
  await other.goto(link);
  await ready(other);
  assert.equal(await other.getByTestId('fault').count(), WAYS.length);
  assert.equal(await end(other), digest, 'times that the seed chooses are the same again');
});

test("the stage's menu offers what fits the thing, and says what is wrong at its field", async (t) => {
  // Without the card of the story there is room beside the menu. No other link crosses this one.
  const page = await openRun(t, '#preset/link-dies');
  const ways = () => page.getByTestId('menu-kind').locator('option').allTextContents();
  const { x, y } = await locate(page, 'p0/t0.0-t1.0');
  await page.mouse.click(x, y, { button: 'right' });
  await page.getByTestId('break-menu').filter({ hasText: 'p0/t0.0-t1.0' }).waitFor();
  assert.deepEqual(await ways(), ['goes down', 'loses packets', 'damages packets', 'flaps', 'comes up']);
  await page.getByTestId('menu-kind').selectOption('link_loss');
  await page.getByTestId('menu-rate').fill('140 %');
  await page.getByTestId('menu-do').click();
  await page.getByTestId('menu-problem').filter({ hasText: 'is 1.4; expected 0 to 1' }).waitFor();
  await page.getByTestId('menu-rate').fill('4 %');
  await page.getByTestId('menu-do').click();
  await page.getByTestId('break-menu').waitFor({ state: 'detached' });
  await page.getByTestId('state').filter({ hasText: 'loses 4 %' }).waitFor();

  const nic = await locate(page, 'NIC 5');
  await page.mouse.click(nic.x, nic.y, { button: 'right' });
  await page.getByTestId('break-menu').filter({ hasText: 'NIC 5' }).waitFor();
  assert.deepEqual(await ways(), ['loses a port', 'loses all ports for a while', 'refuses packets', 'reports a penalty']);
  // A click elsewhere puts it away and does nothing else.
  await page.mouse.click(x, y);
  await page.getByTestId('break-menu').waitFor({ state: 'detached' });
  await page.getByTestId('subject').filter({ hasText: '5' }).waitFor();
});

test('the keyboard alone breaks and heals', async (t) => {
  const page = await openRun(t);
  await find(page, 'p1/t1.2');
  await page.getByTestId('subject').filter({ hasText: 'p1/t1.2' }).waitFor();
  await press(page, 'm');
  await page.locator('[data-testid=menu-kind]:focus').waitFor();
  await page.keyboard.press('Escape');
  await page.getByTestId('break-menu').waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(() => document.activeElement.dataset.testid), 'stage-canvas');

  await page.keyboard.press('m');
  await page.locator('[data-testid=menu-kind]:focus').waitFor();
  await page.getByTestId('menu-kind').selectOption('switch_corrupt');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('3 %');
  await page.keyboard.press('Enter');
  await page.getByTestId('state').filter({ hasText: 'damages 3 %' }).waitFor();
  await page.getByTestId('toggle-fault').press('Enter');
  await page.getByTestId('state').filter({ hasText: /^forwards$/ }).waitFor();
});

test('two clicks of the Break tool within one frame break and heal', async (t) => {
  const page = await openRun(t);
  await locate(page, 'p0/t0.1-t1.2');
  const { x, y } = await place(page);
  await press(page, 'b');
  const box = await page.getByTestId('stage-canvas').boundingBox();
  await page.getByTestId('stage-canvas').evaluate(
    (canvas, at) => {
      for (const type of ['pointerdown', 'pointerup', 'pointerdown', 'pointerup']) {
        const event = { pointerId: 1, button: 0, clientX: at.x, clientY: at.y, bubbles: true };
        try {
          canvas.dispatchEvent(new PointerEvent(type, event));
        } catch {
          // A pointer that is made up cannot be captured.
        }
      }
    },
    { x: Math.min(x, box.x + box.width), y },
  );
  await page.getByTestId('fault').filter({ hasText: 'p0/t0.1-t1.2 down' }).waitFor();
  await page.getByTestId('fault').filter({ hasText: 'p0/t0.1-t1.2 up' }).waitFor();
});

test('after the end nothing can be broken any more', async (t) => {
  const page = await openRun(t);
  await find(page, 'p0/t1.1');
  await page.getByTestId('subject').filter({ hasText: 'p0/t1.1' }).waitFor();
  await page.getByTestId('more-ways').locator('summary').click();
  await finish(page);
  for (const button of ['toggle-fault', 'break-do', 'fault-do']) {
    assert.ok(await page.getByTestId(button).isDisabled(), button);
  }
  await press(page, 'm');
  assert.equal(await page.getByTestId('break-menu').count(), 0);
});

test('kinds of packets are hidden and shown by the legend', async (t) => {
  const page = await openRun(t);
  await press(page, 'Space');
  await reach(page, 8);
  await press(page, 'Space');
  const data = page.getByTestId('legend-data');
  assert.equal(await data.getAttribute('aria-pressed'), 'true');
  await data.click();
  assert.equal(await data.getAttribute('aria-pressed'), 'false');
  // What is hidden is not selected either.
  await press(page, 'n');
  await page.getByTestId('headers').waitFor();
  assert.doesNotMatch(await page.getByTestId('subject').textContent(), /^data/);
  await data.click();
  assert.equal(await data.getAttribute('aria-pressed'), 'true');
});
