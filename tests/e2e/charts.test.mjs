// Charts: their values by mouse and keyboard, their scales, and what is saved of them.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { end, finish, openRun, press } from './stage.mjs';

/** Saves a chart and returns the file's name and its bytes. */
async function saved(page, slug, form) {
  const menu = page.getByTestId(`save-${slug}`);
  if (!(await page.getByTestId(`save-${slug}-${form}`).isVisible())) await menu.click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId(`save-${slug}-${form}`).click()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

/** Moves the mouse to a share of a chart's width and height. */
async function point(page, slug, x, y) {
  const plot = page.getByTestId(`plot-${slug}`);
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  await page.mouse.move(box.x + box.width * x, box.y + box.height * y);
}

const key = (page, slug) => page.getByTestId(`key-${slug}`);

test('goodput and losses have one cursor, by mouse and by keys; the files have the values', async (t) => {
  const page = await openRun(t, '#preset/link-dies', { context: { acceptDownloads: true } });
  await finish(page);
  await page.getByTestId('tab-charts').click();
  await page.getByTestId('plot-goodput').waitFor();
  await page.getByTestId('plot-fct').waitFor();

  await point(page, 'goodput', 0.5, 0.5);
  await key(page, 'goodput').filter({ hasText: /b\/s/ }).waitFor();
  const at = await key(page, 'goodput').locator('.at').textContent();
  assert.match(at, /µs|ms/);
  assert.equal(await key(page, 'losses').locator('.at').textContent(), at, 'charts over time share the cursor');
  assert.equal(await key(page, 'queues').locator('.at').textContent(), at);
  assert.notEqual(await key(page, 'fct').locator('.at').textContent(), at, 'another axis, another cursor');
  await page.mouse.move(2, 2);
  await key(page, 'losses').filter({ hasText: 'Point or press' }).waitFor();

  const plot = page.getByTestId('plot-goodput');
  await plot.focus();
  await page.keyboard.press('Home');
  assert.match(await plot.getAttribute('aria-valuetext'), /^0: Plane 0 /);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  assert.equal(await plot.getAttribute('aria-valuenow'), '11');
  assert.equal(await plot.evaluate((element) => element === document.activeElement), true, 'the focus stays');
  await page.keyboard.press('Escape');
  assert.match(await plot.getAttribute('aria-valuetext'), /^Message bits placed/);

  const { name, bytes } = await saved(page, 'goodput', 'csv');
  assert.match(name, /-goodput\.csv$/);
  const lines = bytes.toString().trimEnd().split('\n');
  assert.match(lines[0], /^time_us,plane_0_gbps,plane_1_gbps/);
  const rows = lines.slice(1).map((line) => line.split(',').map(Number));
  assert.ok(rows.length > 20 && rows.every((row) => row.every(Number.isFinite)));
  // Message bytes of all flows: the sum of rate × time over all bins. The last row is the end of the last bin.
  const placed = rows.slice(0, -1).reduce((sum, [from, ...rates], number) => {
    const width = rows[number + 1][0] - from;
    return sum + (rates.reduce((a, b) => a + b, 0) * width * 1000) / 8;
  }, 0);
  const flows = await page.evaluate(() => document.querySelector('[data-testid=scenario-name]').textContent);
  assert.ok(flows.length > 0);
  await page.getByTestId('tab-flows').click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('save-flows').click()]);
  const table = (await readFile(await download.path())).toString().trimEnd().split('\n').slice(1);
  const expected = table.reduce((sum, row) => sum + Number(row.split(',')[7]), 0);
  assert.ok(Math.abs(placed / expected - 1) < 1e-3, `${placed} of ${expected} B`);
});

test('completion times as CDF, CCDF and histogram, on linear and logarithmic axes', async (t) => {
  const page = await openRun(t, '#preset/link-dies', { context: { acceptDownloads: true } });
  await finish(page);
  await page.getByTestId('tab-flows').click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('save-flows').click()]);
  const flows = (await readFile(await download.path())).toString().trimEnd().split('\n').slice(1);
  const times = flows.map((row) => Number(row.split(',')[5])).sort((a, b) => a - b);

  await page.getByTestId('tab-charts').click();
  const chart = page.getByTestId('chart-fct');
  await page.getByTestId('plot-fct').waitFor();
  const cdf = (await saved(page, 'fct', 'csv')).bytes.toString().trimEnd().split('\n');
  assert.equal(cdf[0], 'completion_time_us,share_of_flows_percent');
  const steps = cdf.slice(2, -1).map((line) => line.split(',').map(Number));
  const distinct = [...new Set(times)];
  assert.equal(steps.length, distinct.length);
  for (const [number, [time, share]] of steps.entries()) {
    assert.ok(Math.abs(time - distinct[number]) < 1e-6);
    const within = times.filter((other) => other <= distinct[number]).length;
    assert.ok(Math.abs(share - (100 * within) / times.length) < 1e-6);
  }

  await page.getByTestId('view-fct').selectOption('CCDF');
  await chart.locator('svg').filter({ hasText: 'Share of flows above' }).first().waitFor();
  assert.equal(await page.getByTestId('log-y-fct').getAttribute('aria-pressed'), 'true');
  await page.getByTestId('log-y-fct').click();
  await chart.locator('svg').filter({ hasText: 'Share of flows above, %' }).first().waitFor();

  await page.getByTestId('view-fct').selectOption('Histogram');
  await page.getByTestId('log-x-fct').click();
  assert.equal(await page.getByTestId('log-x-fct').getAttribute('aria-pressed'), 'true');
  const bins = (await saved(page, 'fct', 'csv')).bytes.toString().trimEnd().split('\n');
  assert.equal(bins[0], 'line,completion_time_from_us,completion_time_to_us,flows');
  const counts = bins.slice(1).map((line) => Number(line.split(',')[3]));
  assert.equal(counts.reduce((a, b) => a + b), times.length);
  await page.getByTestId('plot-fct').focus();
  await page.keyboard.press('End');
  assert.match(await key(page, 'fct').locator('.at').textContent(), / to /);
});

test('cells are read by mouse and keys; pictures are whole by themselves', async (t) => {
  const page = await openRun(t, '#preset/incast', { context: { acceptDownloads: true } });
  await end(page);
  await page.getByTestId('tab-charts').click();
  const plot = page.getByTestId('plot-traffic');
  await plot.scrollIntoViewIfNeeded();
  await plot.focus();
  await page.keyboard.press('Home');
  assert.match(await plot.getAttribute('aria-valuetext'), /^(NIC|T0) 0(–\d+)? → (NIC|T0) 0(–\d+)?: /);
  await page.keyboard.press('ArrowDown');
  assert.match(await key(page, 'traffic').locator('.at').textContent(), /^(NIC|T0) (1|\d+–\d+) → /);
  await point(page, 'traffic', 0.5, 0.5);
  await key(page, 'traffic').locator('.number').waitFor();

  // Another plane and the other direction are asked of the worker.
  await page.getByTestId('links-hop').selectOption('T0 → NIC');
  await page.getByTestId('chart-links').filter({ hasText: 'Links T0 → NIC, plane 0: mean load' }).waitFor();
  await page.getByTestId('links-measure').selectOption('trims');
  await page.getByTestId('chart-links').filter({ hasText: 'trims' }).waitFor();
  const csv = (await saved(page, 'links', 'csv')).bytes.toString().trimEnd().split('\n');
  assert.equal(csv[0], 't0,nic_of_the_t0,trims');

  const svg = await saved(page, 'traffic', 'svg');
  const picture = svg.bytes.toString();
  assert.match(picture, /^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  assert.doesNotMatch(picture, /class=|var\(/, 'colours are in the picture itself');
  assert.match(picture, /fill="rgb\(/);
  assert.match(picture, /Traffic matrix/);
  const shown = await page.evaluate(async (text) => {
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  }, picture);
  assert.equal(shown[0], 800);
  const png = await saved(page, 'traffic', 'png');
  assert.equal(png.bytes.subarray(1, 4).toString(), 'PNG');
  assert.equal(png.bytes.readUInt32BE(16), 2 * shown[0]);
  assert.equal(png.bytes.readUInt32BE(20), 2 * shown[1]);
});

test('a run that has not begun says so, and the charts fit a phone', async (t) => {
  const page = await openRun(t, '#preset/roce-allreduce', { context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } });
  await page.getByTestId('panel-charts').click();
  await page.getByTestId('empty-fct').filter({ hasText: 'No flow is complete yet.' }).waitFor();
  await press(page, 'e');
  await page.getByTestId('plot-steps').waitFor({ timeout: 120_000 });
  const panel = page.getByTestId('charts-panel');
  await page.getByTestId('plot-steps').scrollIntoViewIfNeeded();
  const wide = await panel.evaluate((element) => [element.scrollWidth, element.clientWidth]);
  assert.ok(wide[0] <= wide[1], `${wide[0]} of ${wide[1]} px`);
  await page.getByTestId('plot-steps').tap();
  await key(page, 'steps').filter({ hasText: /[µm]s.*Job 0.*[µm]s/ }).waitFor();
});
