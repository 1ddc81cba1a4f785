// Fabrics of three tiers: T2s and their links are drawn, clicked, broken and opened like all others.

import assert from 'node:assert/strict';
import test from 'node:test';
import { evs, find, locate, openRun, place, press, reach, ready, timePs } from './stage.mjs';

/** Two pods of two T0s and two T1s; each T1 has links to two of the four T2s. All traffic goes between the pods. */
const SMALL = {
  version: 1,
  name: 'Two pods',
  until: '5ms',
  fabric: {
    planes: 2, pods: 2, t0_per_plane: 4, t1_per_plane: 4, t2_per_plane: 4, nics_per_t0: 4, nic_link_rate: '100Gbps',
  },
  transport: { evs: 16, probe_interval: '10us' },
  traffic: [{ kind: 'permutation', shift: 8, bytes: '20MB' }],
};

/** One plane of the paper's three tiers: 64 pods of 32 T0s and 32 T1s, 1,024 T2s, 65,536 NICs. A few flows. */
const PAPER = {
  version: 1,
  name: 'Paper',
  until: '1ms',
  fabric: {
    planes: 1, pods: 64, t0_per_plane: 2048, t1_per_plane: 2048, t2_per_plane: 1024, nics_per_t0: 32,
    nic_link_rate: '100Gbps',
  },
  transport: { evs: 32 },
  traffic: [{ kind: 'incast', dst: 40_000, senders: 100, bytes: '1MB' }],
};

async function openScenario(t, scenario) {
  const page = await openRun(t);
  await page.getByTestId('file-input').setInputFiles({
    name: 'scenario.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(scenario)),
  });
  await page.getByTestId('scenario-name').filter({ hasText: scenario.name }).waitFor();
  await page.locator('[data-testid=app][data-phase=ready]').waitFor({ timeout: 120_000 });
  return page;
}

/** Waits until at least so many EVs of the shown QP are out of use. */
async function outOfUse(page, count) {
  await page.waitForFunction(
    (count) => Number(document.querySelector('[data-testid=ev-grid]').dataset.bad) >= count,
    count,
    { timeout: 60_000 },
  );
}

test('a T2 and a link to one are clicked, broken and healed; EVs over them go out of use', async (t) => {
  const page = await openScenario(t, SMALL);
  await ready(page);
  await page.locator('[data-testid=stage][data-groups="4 4 16 4"]').waitFor();
  // Both directions of 16 NIC ports, 8 T0–T1 and 8 T1–T2 cables in each of two planes.
  await page.locator(`[data-testid=stage][data-links="${2 * 2 * (16 + 8 + 8)}"]`).waitFor();
  // The run begins, so that nothing covers the stage; but no packet has come as far as a T1.
  for (let step = 0; (await timePs(page)) === 0; step++) {
    assert.ok(step < 200, 'the run begins');
    await press(page, '.');
    await page.waitForTimeout(20);
  }
  await page.getByTestId('start').waitFor({ state: 'detached' });

  const spots = {};
  for (const name of ['p0/t2.1', 'p0/t1.3-t2.2']) {
    spots[name] = await locate(page, name);
    await press(page, 'Escape');
    await page.getByTestId('nothing-selected').waitFor();
    await page.mouse.click(spots[name].x, spots[name].y);
    await page.getByTestId('subject').filter({ hasText: name }).waitFor();
  }
  await find(page, 'p0/t1.3-t2.0');
  await page.locator('#find-problem').filter({ hasText: 'T1 3 has links to T2 2–3 alone' }).waitFor();

  await find(page, 'QP 0');
  await page.getByTestId('ev-grid').waitFor();
  assert.equal((await evs(page)).bad, 0);
  assert.ok((await page.getByTestId('ev-grid').locator('[title*="· T2 1 ·"]').count()) > 0);

  await page.getByTestId('speed').fill('13');
  await press(page, 'Space');
  await press(page, 'b');
  const fault = (text) => page.getByTestId('fault').filter({ hasText: text });
  // Of 8 EVs in use in a plane, and of those in reserve, at least two go over each T2.
  await page.mouse.click(spots['p0/t1.3-t2.2'].x, spots['p0/t1.3-t2.2'].y);
  await fault('p0/t1.3-t2.2 down').waitFor();
  await outOfUse(page, 2);
  await page.mouse.click(spots['p0/t2.1'].x, spots['p0/t2.1'].y);
  await fault('p0/t2.1 dead').waitFor();
  await outOfUse(page, 4);
  for (const [name, text] of [['p0/t2.1', 'p0/t2.1 back'], ['p0/t1.3-t2.2', 'p0/t1.3-t2.2 up']]) {
    await page.mouse.click(spots[name].x, spots[name].y);
    await fault(text).waitFor();
  }
  await page.locator('[data-testid=ev-grid][data-bad="0"]').waitFor({ timeout: 60_000 });
});

test('a packet between pods has six hops', async (t) => {
  const page = await openScenario(t, SMALL);
  await press(page, 'Space');
  await reach(page, 5);
  await press(page, 'n');
  await page.getByTestId('headers').waitFor();
  const path = page.getByTestId('path').locator('li');
  assert.equal(await path.count(), 7, 'NIC, T0, T1, T2, T1, T0, NIC');
  assert.match(await path.nth(3).textContent(), /t2\.\d/);
});

test('the paper’s three tiers open from groups of pods to single T2s', async (t) => {
  const page = await openScenario(t, PAPER);
  await page.locator('[data-testid=stage][data-groups="8 16 16 8"]').waitFor();
  await press(page, 'Space');
  await reach(page, 0.1);
  await press(page, 'Space');
  const groups = async () => (await page.getByTestId('stage').getAttribute('data-groups')).split(' ').map(Number);
  const subject = page.getByTestId('subject');
  const spot = await locate(page, 'p0/t2.513');
  // So far it is one of a group.
  await page.mouse.click(spot.x, spot.y);
  await subject.filter({ hasText: 'p0: T2 512–639' }).waitFor();
  for (let turn = 0; (await groups())[3] < 1024; turn++) {
    assert.ok(turn < 60, `still ${await groups()} groups`);
    await locate(page, 'p0/t2.513');
    const { x, y } = await place(page);
    await page.mouse.move(x, y);
    await page.mouse.wheel(0, -250);
    await page.waitForTimeout(60);
  }
  const alone = await locate(page, 'p0/t2.513');
  await press(page, 'Escape');
  await page.getByTestId('nothing-selected').waitFor();
  await page.mouse.click(alone.x, alone.y);
  await subject.filter({ hasText: /^p0\/t2\.513$/ }).waitFor();
  await press(page, 'b');
  await page.mouse.click(alone.x, alone.y);
  await page.getByTestId('fault').filter({ hasText: 'p0/t2.513 dead' }).waitFor();
});
