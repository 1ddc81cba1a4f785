// The worker stops: by a mistake, from outside, or because it does not come at all. The page says so, keeps the scenario, and goes on.

import assert from 'node:assert/strict';
import test from 'node:test';
import { openPage, startBrowser, url } from './browser.mjs';
import { finish, locate, openRun, openScenario, press, reach, ready, timePs } from './stage.mjs';

const EXPECTED = /flowglass-worker|404|Failed to load|a mistake|boom|ERR_FAILED|MIME type/;
const LINK = 'p0/t0.0-t1.0';

/** Breaks a link by hand at a time in µs, and pauses. */
async function breakByHand(page, us) {
  const place = await locate(page, LINK);
  await press(page, 'Space');
  await reach(page, us);
  await press(page, 'Space');
  await press(page, 'b');
  await page.mouse.click(place.x, place.y);
  await page.getByTestId('fault').filter({ hasText: `${LINK} down` }).filter({ hasText: 'by hand' }).waitFor();
  await press(page, 'Escape');
}

/** Makes the page's latest worker do something that it never does by itself. */
async function inWorker(page, what) {
  await page.workers().at(-1).evaluate(what);
}

const mistake = () => {
  setTimeout(() => {
    throw new Error('a mistake');
  });
};

test('a run whose worker stops is started again by itself, once, with what was done by hand', async (t) => {
  const page = await openRun(t, '#preset/link-dies', { expected: EXPECTED });
  await breakByHand(page, 10);
  const now = await timePs(page);
  await inWorker(page, mistake);
  await page.getByTestId('notice').filter({ hasText: 'was started again' }).filter({ hasText: 'a mistake' }).waitFor();
  await ready(page);
  await page.locator(`[data-testid=time][data-ps="${now}"]`).waitFor({ timeout: 60_000 });
  await page.getByTestId('fault').filter({ hasText: `${LINK} down` }).waitFor();

  // The second time it waits to be asked.
  await inWorker(page, mistake);
  const card = page.getByTestId('broken');
  await card.filter({ hasText: 'a mistake' }).filter({ hasText: 'The scenario is kept' }).waitFor();
  const download = page.waitForEvent('download');
  await page.getByTestId('save-stopped').click();
  assert.match((await download).suggestedFilename(), /\.json$/);
  await page.getByTestId('restart-worker').focus();
  await page.keyboard.press('Enter');
  await ready(page);
  await page.getByTestId('fault').filter({ hasText: `${LINK} down` }).waitFor();
  await finish(page);
});

test('what comes out after a restart is what would have come out without', async (t) => {
  const page = await openRun(t, '#preset/incast', { expected: EXPECTED });
  await press(page, 'Space');
  await reach(page, 5);
  await press(page, 'Space');
  await inWorker(page, mistake);
  await page.getByTestId('notice').filter({ hasText: 'was started again' }).waitFor();
  await ready(page);
  const digest = await finish(page);
  const other = await page.context().newPage();
  await other.goto(`${url}#preset/incast`);
  await ready(other);
  assert.equal(await finish(other), digest);
});

test('a worker that is ended from outside is missed, and replaced on a click', async (t) => {
  const context = await startBrowser(t, { expected: EXPECTED });
  // As a browser does that needs memory: without a word.
  await context.addInitScript(() => {
    const Real = globalThis.Worker;
    globalThis.made = [];
    globalThis.Worker = class extends Real {
      constructor(...args) {
        super(...args);
        globalThis.made.push(this);
      }
    };
  });
  const page = await context.newPage();
  await page.goto(`${url}#preset/link-dies`);
  await ready(page);
  await breakByHand(page, 10);
  const now = await timePs(page);
  await page.evaluate(() => globalThis.made.at(-1).terminate());
  await press(page, 'Space');
  await page.getByTestId('silent').filter({ hasText: 'has not answered' }).waitFor({ timeout: 30_000 });
  await page.getByTestId('restart-silent').click();
  await ready(page);
  await page.locator(`[data-testid=time][data-ps="${now}"]`).waitFor({ timeout: 60_000 });
  await page.getByTestId('fault').filter({ hasText: `${LINK} down` }).waitFor();
  await finish(page);
});

test('a worker that goes round in circles is given up and replaced', async (t) => {
  const page = await openRun(t, '#preset/incast', { expected: EXPECTED });
  await inWorker(page, () => {
    setTimeout(() => {
      for (;;);
    });
  });
  await press(page, 'Space');
  await page.getByTestId('notice').filter({ hasText: 'was started again' }).filter({ hasText: 'has not answered' }).waitFor({ timeout: 60_000 });
  await ready(page);
  await finish(page);
});

test('a worker that is only busy is waited for', async (t) => {
  const page = await openRun(t, '#preset/incast', { expected: EXPECTED });
  await inWorker(page, () => {
    setTimeout(() => {
      const end = performance.now() + 9000;
      while (performance.now() < end);
    });
  });
  await press(page, 'Space');
  await page.getByTestId('silent').waitFor({ timeout: 30_000 });
  await page.getByTestId('silent').waitFor({ state: 'detached', timeout: 30_000 });
  assert.equal(await page.getByTestId('notice').count(), 0);
  await finish(page);
});

for (const [what, answer] of [
  ['an error', { status: 500, body: 'no' }],
  ['another file', { contentType: 'text/html', body: '<!DOCTYPE html><title>Log in</title>' }],
  ['what is no script', { contentType: 'text/javascript', body: 'this is no script' }],
]) {
  test(`a server that answers with ${what} in place of the worker is named, and can be asked again`, async (t) => {
    const page = await openPage(t, 'manifest.webmanifest', { expected: EXPECTED });
    let asked = 0;
    await page.route('**/flowglass-worker_loader.js', (route) => {
      asked += 1;
      return route.fulfill(answer);
    });
    await page.goto(`${url}#preset/incast`);
    await page.getByTestId('broken').filter({ hasText: 'did not load' }).waitFor({ timeout: 60_000 });
    // Once by itself, and no more.
    await page.waitForTimeout(1500);
    assert.equal(asked, 2);
    await page.unroute('**/flowglass-worker_loader.js');
    await page.getByTestId('restart-worker').click();
    await ready(page);
    await finish(page);
  });
}

test('a module that is none is named', async (t) => {
  // Chromium tells of an error without a message, too.
  const page = await openPage(t, 'manifest.webmanifest', { expected: new RegExp(`${EXPECTED.source}|CompileError|^$`) });
  await page.route('**/flowglass-worker_bg.wasm', (route) => route.fulfill({ contentType: 'application/wasm', body: 'no module' }));
  await page.goto(`${url}#preset/incast`);
  await page.getByTestId('broken').waitFor({ timeout: 60_000 });
  await page.unroute('**/flowglass-worker_bg.wasm');
  await page.getByTestId('restart-worker').click();
  await ready(page);
});

/** A fabric that is within the limits of a scenario, and far beyond the memory of a tab. */
const HUGE = {
  version: 1,
  name: 'Far too large',
  until: '1ms',
  fabric: { planes: 8, t0_per_plane: 512, t1_per_plane: 256, nics_per_t0: 256, nic_link_rate: '100Gbps' },
  transport: { qps: 7, evs: 512 },
  traffic: [{ kind: 'permutation', shift: 256, bytes: '1MB' }],
};

test('what is too large for a tab is refused before it is built, with what would fit', async (t) => {
  const page = await openRun(t, '#preset/incast');
  await page.getByTestId('file-input').setInputFiles({ name: 'huge.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(HUGE)) });
  const notice = page.getByTestId('notice').filter({ hasText: 'GB' });
  await notice.waitFor({ timeout: 60_000 });
  assert.match(await notice.textContent(), /would need about 3\.8 GB.*at most about .* QPs.*at most about .* EVs/s);
  await page.getByTestId('empty').waitFor();
  // The page goes on with something smaller.
  await page.getByTestId('preset-incast').click();
  await ready(page);
  await finish(page);
});

test('a host whose worker stops is started again where it was', async (t) => {
  const page = await openRun(t, '#preset/host-first-packet', { expected: EXPECTED });
  await press(page, 'Space');
  await reach(page, 5);
  await press(page, 'Space');
  await page.waitForTimeout(300);
  const now = await timePs(page);
  await inWorker(page, mistake);
  await page.getByTestId('notice').filter({ hasText: 'was started again' }).waitFor();
  await page.locator(`[data-testid=time][data-ps="${now}"]`).waitFor({ timeout: 60_000 });
  await inWorker(page, mistake);
  await page.getByTestId('broken').waitFor();
  await page.getByTestId('restart-worker').click();
  await ready(page);
});

test('side by side, a run that stops catches up with the other', async (t) => {
  const page = await openRun(t, '#c=preset/incast,link-dies', { expected: EXPECTED });
  await press2(page);
  await reach(page, 10);
  await press2(page);
  await page.waitForTimeout(300);
  const now = await timePs(page);
  await inWorker(page, mistake);
  await page.getByTestId('notice').filter({ hasText: 'was started again' }).waitFor();
  await page.waitForFunction((ps) => [...document.querySelectorAll('[data-testid=pane-time]')].every((time) => Number(time.dataset.ps) >= ps || time.dataset.over === 'true'), now, { timeout: 60_000 });
  await inWorker(page, mistake);
  const card = page.getByTestId('broken');
  await card.waitFor();
  await card.getByTestId('restart-worker').click();
  await card.waitFor({ state: 'detached' });
});

/** Plays or pauses all runs: there are several stages. */
async function press2(page) {
  await page.getByTestId('stage-canvas').first().focus();
  await page.keyboard.press('Space');
}

test('a sweep goes on without a worker that stops', async (t) => {
  const page = await openRun(t, '#preset/link-dies', { expected: EXPECTED });
  await page.getByTestId('tab-sweep').click();
  await page.getByTestId('sweep-runs').fill('6');
  await page.getByTestId('sweep-start').click();
  while (page.workers().length < 2) await page.waitForTimeout(50);
  // The mistake comes between two runs: a worker is busy with one at a time.
  await page.workers().at(-1).evaluate(mistake);
  await page.getByTestId('sweep-start').waitFor({ timeout: 240_000 });
  const status = await page.getByTestId('sweep-status').textContent();
  assert.match(status, /^6 runs: .*, 1 failed/);
  await page.locator('[data-testid=app][data-phase=ready]').waitFor();
});
