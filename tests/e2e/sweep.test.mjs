// Sweeps: the same scenario with many seeds, in workers of their own.

import assert from 'node:assert/strict';
import test from 'node:test';
import { finish, openRun, ready } from './stage.mjs';

/** Opens the panel and starts a sweep. */
async function sweep(page, runs, first) {
  await page.getByTestId('tab-sweep').click();
  await page.getByTestId('sweep-runs').fill(String(runs));
  await page.getByTestId('sweep-first').fill(String(first));
  await page.getByTestId('sweep-start').click();
}

/** Waits for a sweep's end and says how it ended. */
async function ended(page) {
  await page.getByTestId('sweep-start').waitFor({ timeout: 120_000 });
  return page.getByTestId('sweep-status').textContent();
}

/** The seeds of the runs that are listed. */
async function seeds(page) {
  const rows = await page.getByTestId('sweep-row').all();
  return Promise.all(rows.map(async (row) => Number(await row.getAttribute('data-seed'))));
}

/** A scenario as a file for the page. */
async function open(page, scenario) {
  await page.getByTestId('file-input').setInputFiles({
    name: 'sweep.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(scenario)),
  });
  await page.getByTestId('scenario-name').filter({ hasText: scenario.name }).waitFor();
  await ready(page);
}

/** A permutation among 64 NICs: `bytes` decide how long a run takes. */
function scenario(name, bytes, changes = {}) {
  return {
    version: 1,
    name,
    seed: 1,
    until: '1s',
    fabric: { planes: 4, t0_per_plane: 8, t1_per_plane: 8, nics_per_t0: 8, nic_link_rate: '100Gbps' },
    traffic: [{ kind: 'permutation', shift: 9, bytes }],
    ...changes,
  };
}

test('eight seeds of a preset: statistics, a dot and a row each, and the digests of the watched runs', async (t) => {
  const page = await openRun(t, '', { context: { permissions: ['clipboard-read', 'clipboard-write'] } });
  await sweep(page, 8, 3);
  assert.match(await ended(page), /^8 runs, every flow complete, in /);
  assert.deepEqual(await seeds(page), [3, 4, 5, 6, 7, 8, 9, 10]);
  assert.equal(await page.getByTestId('sweep-plot').locator('circle:not(.mean)').count(), 3 * 8);
  const p99 = page.locator('[data-testid=sweep-stat][data-metric=fct_p99_us] td');
  const [median, min, max, mean, runs] = await p99.allTextContents();
  // Thousands are set apart by a narrow space.
  const number = (text) => Number(text.replaceAll('\u202f', ''));
  assert.ok(number(min) <= number(median) && number(median) <= number(max), `${min} ${median} ${max}`);
  assert.match(mean, /^[\d.\u202f]+ ± [\d.\u202f]+$/);
  assert.equal(runs, '8');

  await page.getByTestId('sweep-copy').filter({ hasText: 'Copy as CSV' }).click();
  await page.getByTestId('sweep-copy').filter({ hasText: 'Copied' }).waitFor();
  const lines = (await page.evaluate(() => navigator.clipboard.readText())).trimEnd().split('\n');
  assert.equal(lines.length, 9);
  assert.match(lines[0], /^run,value,seed,end,digest,/);

  // A click on a seed watches that run, which comes to the same digest.
  const row = page.locator('[data-testid=sweep-row][data-seed="6"]');
  const digest = await row.getByTestId('sweep-digest').textContent();
  assert.ok(lines[4].includes(digest), lines[4]);
  await row.getByRole('button').click();
  await page.waitForFunction(() => document.querySelector('[data-testid=seed]').value === '6');
  await ready(page);
  assert.equal(await finish(page), digest);
});

test('progress is shown, and Cancel keeps what is over', async (t) => {
  const page = await openRun(t);
  // Some tenths of a second each.
  await open(page, scenario('long', '4MB'));
  await sweep(page, 200, 1);
  const status = page.getByTestId('sweep-status');
  await status.filter({ hasText: /^[1-9]\d* of 200 runs, about .* to go$/ }).waitFor({ timeout: 60_000 });
  const workers = page.getByTestId('sweep-worker');
  assert.ok((await workers.count()) >= 1);
  assert.match(await workers.first().textContent(), /^Worker 1: seed \d+$/);
  // The watched run goes on beside it.
  await page.getByTestId('step').click();
  await page.getByTestId('step-text').waitFor();
  await page.getByTestId('sweep-cancel').click();
  const text = await ended(page);
  const over = Number(text.match(/^Cancelled: (\d+) of 200 runs$/)?.[1]);
  assert.ok(over >= 1 && over < 200, text);
  const kept = await seeds(page);
  assert.equal(kept.length, over);
  await page.waitForTimeout(500);
  assert.equal(await status.textContent(), text, 'no worker goes on');
  // Another sweep takes its place.
  await sweep(page, 2, 40);
  assert.match(await ended(page), /^2 runs, every flow complete/);
  assert.deepEqual(await seeds(page), [40, 41]);
});

test('a run that fails says why, and the others go on', async (t) => {
  const page = await openRun(t, '', { expected: /unreachable|panicked|RuntimeError/ });
  // The page's own workers answer; one run of the sweep is made to fail as a worker out of memory does.
  await page.evaluate(() => {
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...rest) {
      // ToWorker::Sweep(Ask::Run { run: 2, seed: 12 }) as the worker reads it.
      if (message?.m?.length === 4 && message.m.slice(1).join() === '1,2,12') {
        const error = new ErrorEvent('error', { message: 'Uncaught RuntimeError: unreachable' });
        setTimeout(() => this.dispatchEvent(error));
        return undefined;
      }
      return post.call(this, message, ...rest);
    };
  });
  await sweep(page, 4, 10);
  assert.match(await ended(page), /^4 runs: every flow complete in 3, 1 failed$/);
  assert.deepEqual(await seeds(page), [10, 11, 12, 13]);
  const failed = page.locator('[data-testid=sweep-row][data-seed="12"]');
  assert.match(await failed.textContent(), /Failed: It ran out of memory\. A browser tab gives it 4 GB at most/);
});

test('runs that do not finish are counted apart, and bad input is refused', async (t) => {
  const page = await openRun(t);
  await open(page, scenario('short of time', '4MB', { until: '10us' }));
  await sweep(page, 2, 1);
  assert.equal(await ended(page), '2 runs: every flow complete in 0');
  assert.equal(await page.locator('[data-testid=sweep-stat][data-metric=fct_p50_us]').count(), 0);
  assert.equal(await page.locator('[data-testid=sweep-stat][data-metric=goodput_gbps]').count(), 1);
  for (const [runs, first, expected] of [
    ['0', '1', /expected 1 to 1000/],
    ['2', '-1', /expected a whole number from 0/],
    ['2', '18446744073709551615', /go beyond/],
  ]) {
    await sweep(page, runs, first);
    await page.getByTestId('sweep').getByRole('alert').filter({ hasText: expected }).waitFor();
  }
});

test('seeds of a scenario that is no longer open bring it back', async (t) => {
  const page = await openRun(t, '#preset/incast');
  const name = await page.getByTestId('scenario-name').textContent();
  await sweep(page, 2, 1);
  await ended(page);
  const digest = await page.getByTestId('sweep-digest').nth(1).textContent();
  await open(page, scenario('another', '100kB'));
  await page.locator('[data-testid=sweep-row][data-seed="2"]').getByRole('button').click();
  await page.getByTestId('scenario-name').filter({ hasText: name }).waitFor();
  await ready(page);
  assert.equal(await page.getByTestId('seed').inputValue(), '2');
  assert.equal(await finish(page), digest);
});

test('all columns of the runs can be reached, and a sign says that there are more', async (t) => {
  const page = await openRun(t, '#preset/roce-t1-dies');
  await sweep(page, 30, 1);
  await ended(page);
  const table = page.locator('.sweep-runs');
  const sign = page.locator('.sideways.goes-on', { has: table });
  for (const [width, height] of [[1440, 900], [390, 844]]) {
    await page.setViewportSize({ width, height });
    if (width < 900) await page.getByTestId('panel-sweep').click();
    await table.evaluate((element) => element.scrollTo(0, 0));
    await sign.waitFor();
    await table.scrollIntoViewIfNeeded();
    await table.evaluate((element) => element.scrollTo(element.scrollWidth, 60));
    await sign.waitFor({ state: 'detached' });
    const seen = await table.evaluate((element) => {
      const [box, last, head] = [element, element.querySelector('tbody tr:nth-child(9) td:last-child'), element.querySelector('thead th:last-child')].map((one) => one.getBoundingClientRect());
      return { right: last.right - box.right, header: head.top - box.top, row: element.scrollTop };
    });
    assert.ok(seen.right <= 1, `${width}: ${JSON.stringify(seen)}`);
    assert.ok(seen.row > 0 && Math.abs(seen.header) <= 2, `${width}: the header stays, ${JSON.stringify(seen)}`);
  }
});
