// What can be read of a recovery: from the fault's mark, from the QP's EVs and its state.

import assert from 'node:assert/strict';
import test from 'node:test';
import { evs, find, finish, openRun, openScenario, press, reach } from './stage.mjs';

const US = { ns: 1e-3, 'µs': 1, ms: 1e3 };

/** "+21.3 µs" in µs. */
function us(text) {
  const [, number, unit] = text.match(/([\d.]+) (ns|µs|ms|ps)/);
  return Number(number) * (US[unit] ?? 1e-6);
}

test("from a fault's mark one reads how long it took until the path was avoided", async (t) => {
  const page = await openRun(t);
  await page.getByTestId('speed').fill('16');
  await press(page, 'Space');
  await reach(page, 250);
  await press(page, 'Space');
  await page.getByTestId('tab-events').click();
  const broke = page.locator('[data-testid=event][data-kind=broke]');
  await broke.filter({ hasText: 'p1/t0.0-t1.2 down' }).getByRole('button').click();
  await page.getByTestId('subject').filter({ hasText: 'p1/t0.0-t1.2 down' }).waitFor();
  await page.getByTestId('verdict').filter({ hasText: /^Avoided after [\d.]+ µs\.$/ }).waitFor();
  const after = us(await page.getByTestId('verdict').textContent());
  assert.ok(after > 10 && after < 200, `tens of microseconds: ${after}`);
  const steps = await page.getByTestId('recovery').locator('li').allTextContents();
  const words = ['the fault takes effect', 'first packet lost', 'first loss inferred', 'out of use', 'last packet sent into it'];
  for (const word of words) assert.ok(steps.some((step) => step.includes(word)), `${word}: ${steps}`);
  const times = steps.slice(1).map(us);
  assert.deepEqual(times, [...times].sort((a, b) => a - b), 'in order of time');
  assert.ok((await broke.first().textContent()).includes('µs'), 'the list says it too');

  // The timeline shows the same span as a band.
  await page.getByTestId('tab-timeline').click();
  await page.locator('.exposure.selected').waitFor({ state: 'attached' });
  for (const kind of ['inferred', 'evs-lost', 'swapped']) {
    assert.ok((await page.locator(`[data-testid=marks] [data-kind=${kind}]`).count()) > 0, kind);
  }
});

test('a click on a mark of the timeline selects what it is about', async (t) => {
  const page = await openRun(t);
  // After the end the axis stays as it is.
  await finish(page);
  const mark = page.locator('.tl-marks .mark.broke path').first();
  await page.locator('.tl-over .now[x1="100.000%"]').waitFor({ state: 'attached' });
  const box = await mark.boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await page.getByTestId('subject').filter({ hasText: 'p1/t0.0-t1.2 down' }).waitFor();
});

test('EVs go out of use, those in reserve stand in for them, and all return', async (t) => {
  const page = await openRun(t);
  await openScenario(page, {
    version: 1,
    name: 'Reserve',
    until: '3ms',
    fabric: { planes: 2, t0_per_plane: 2, t1_per_plane: 4, nics_per_t0: 2, nic_link_rate: '100Gbps' },
    transport: { evs: 32, probe_interval: '20us' },
    traffic: [{ kind: 'permutation', shift: 2, bytes: '20MB' }],
    faults: [
      { at: '50us', kind: 'link_down', link: 'p0/t0.0-t1.3' },
      { at: '400us', kind: 'link_up', link: 'p0/t0.0-t1.3' },
    ],
  });
  await find(page, 'QP 0');
  await page.getByTestId('ev-grid').waitFor();
  assert.deepEqual(await evs(page), { good: 40, skip: 0, bad: 0, reserve: 8, standIns: 0 });
  await page.getByTestId('speed').fill('15');
  await press(page, 'Space');
  // Plane 0: 16 EVs in use and 4 in reserve over 4 T1s.
  await page.locator('[data-testid=ev-grid][data-bad="5"][data-stand-ins="3"]').waitFor({ timeout: 60_000 });
  await reach(page, 400);
  await page.locator('[data-testid=ev-grid][data-bad="0"]').waitFor({ timeout: 60_000 });
});

test('a QP whose retries are used up is in ERROR and says why', async (t) => {
  const page = await openRun(t);
  await openScenario(page, {
    version: 1,
    name: 'Optic',
    until: '5ms',
    fabric: { planes: 2, t0_per_plane: 2, t1_per_plane: 2, nics_per_t0: 2, nic_link_rate: '100Gbps' },
    transport: { rto: '100us', linear_retries: 2, exponential_retries: 1 },
    traffic: [{ kind: 'flow', src: 0, dst: 2, bytes: '4MB' }],
    faults: [{ at: '20us', kind: 'nic_flap', nic: 2, duration: '4ms' }],
  });
  await find(page, 'QP 0');
  await page.getByTestId('state').filter({ hasText: 'RTS' }).waitFor();
  await page.getByTestId('run-to-end').click();
  await page.getByTestId('state').filter({ hasText: /^ERROR$/ }).waitFor({ timeout: 60_000 });
  assert.match(await page.getByTestId('qp-error').textContent(), /^In ERROR since [\d.]+ (µs|ms): retries exceeded\.$/);
  await page.getByTestId('status').filter({ hasText: '0 of 1 flows complete, 1 in ERROR' }).waitFor();
  assert.match(await page.getByTestId('marks').textContent(), /QP 0 in ERROR: retries exceeded/);
});

test('a job has its steps, their times and their bus bandwidth', async (t) => {
  const page = await openRun(t);
  assert.equal(await page.getByTestId('tab-jobs').count(), 0, 'there is none yet');
  await openScenario(page, {
    version: 1,
    name: 'Steps',
    until: '10ms',
    fabric: { planes: 2, t0_per_plane: 2, t1_per_plane: 2, nics_per_t0: 4, nic_link_rate: '100Gbps' },
    traffic: [{ kind: 'job', collective: 'ring_all_reduce', ranks: 8, bytes: '800KB', steps: 3, compute: '20us' }],
  });
  await page.getByTestId('tab-jobs').click();
  await page.getByTestId('job').filter({ hasText: 'Job 0: ring all-reduce' }).filter({ hasText: '8 ranks, 800 kB' }).waitFor();
  await page.getByTestId('job-state').filter({ hasText: /step 1 of 3/ }).waitFor();
  await finish(page);
  await page.getByTestId('job-state').filter({ hasText: 'complete' }).waitFor();
  const steps = page.getByTestId('job-step');
  assert.equal(await steps.count(), 3);
  // At most the NIC's 2 × 100 Gb/s.
  const bus = Number((await steps.first().locator('td').last().textContent()).match(/([\d.]+) Gb\/s/)[1]);
  assert.ok(bus > 20 && bus < 200, `${bus} Gb/s`);
  const download = page.waitForEvent('download');
  await page.getByTestId('save-jobs').click();
  assert.equal((await download).suggestedFilename(), 'jobs.csv');
  await page.getByTestId('tab-timeline').click();
  await page.locator('.tl-plot.job .communicates').first().waitFor({ state: 'attached' });
});

test('settings are changed in their table, and refused at their place', async (t) => {
  const page = await openRun(t);
  await page.getByTestId('settings').locator('summary').click();
  const evCount = page.getByTestId('setting-transport.evs');
  assert.equal(await evCount.inputValue(), '128');
  await evCount.fill('127');
  await evCount.press('Enter');
  await page.getByTestId('setting-problem').filter({ hasText: 'transport.evs' }).waitFor();
  await evCount.fill('64');
  await evCount.press('Enter');
  // A quarter of them in reserve, of which 16 are in use in each of four planes.
  await page.locator('[data-testid=ev-grid][data-good="80"]').waitFor();
  await page.getByTestId('setting-clustermapper').selectOption('on');
  await page.getByTestId('setting-clustermapper.denylist').waitFor();
});
