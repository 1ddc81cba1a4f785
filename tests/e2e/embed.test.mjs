// The page as a frame in another one.

import assert from 'node:assert/strict';
import test from 'node:test';
import { openPage, startBrowser, url } from './browser.mjs';
import { linkTime, ready } from './stage.mjs';

/** Opens a page of the same address that shows these frames; nothing else has to be served. */
async function lesson(t, frames, options) {
  const context = await startBrowser(t, options);
  const page = await context.newPage();
  const body = frames.map(({ query, link }, i) => `<iframe id="f${i}" src="./${query}${link}" title="Run ${i}" width="640" height="420"></iframe>`).join('');
  await page.route(`${url}lesson.html`, (route) => route.fulfill({ contentType: 'text/html', body: `<!DOCTYPE html><title>A lesson</title>${body}` }));
  await page.goto(`${url}lesson.html`);
  return page;
}

test('two frames on a page start nothing before they are clicked, and play by themselves', async (t) => {
  const page = await lesson(t, [
    { query: '?embed', link: '#preset/link-dies' },
    { query: '?embed=timeline', link: '#preset/incast' },
  ]);
  const [first, second] = [page.frameLocator('#f0'), page.frameLocator('#f1')];
  for (const frame of [first, second]) await frame.locator('[data-testid=app][data-asleep=true]').waitFor();
  assert.equal(page.workers().length, 0);
  // The fabric is drawn although nothing runs.
  await first.locator('[data-testid=stage][data-links]:not([data-links="0"])').waitFor();
  // Only the second has the timeline.
  assert.equal(await first.locator('.dock').count(), 0);
  await second.getByRole('region', { name: 'Timeline' }).waitFor();
  // Neither has the rest of the page.
  for (const name of ['share', 'preset-incast', 'edit', 'seed']) assert.equal(await first.getByTestId(name).count(), 0, name);
  assert.ok(await first.getByTestId('tool-break').isHidden());

  await first.getByTestId('start').click();
  await first.locator('[data-testid=play][aria-label=Pause]').waitFor();
  assert.equal(page.workers().length, 1);
  await second.locator('[data-testid=app][data-asleep=true]').waitFor();
  await first.locator('[data-testid=time]:not([data-ps="0"])').waitFor();
  await first.getByTestId('play').click();
  await first.locator('[data-testid=play][aria-label=Play]').waitFor();

  // The second by key.
  await second.getByTestId('stage-canvas').focus();
  await page.keyboard.press('Space');
  await second.locator('[data-testid=time]:not([data-ps="0"])').waitFor();
});

test('a frame opens the whole page with what it shows', async (t) => {
  const page = await openPage(t, '?embed#preset/link-dies&at=20us');
  await page.locator('[data-testid=app][data-asleep=true]').waitFor();
  await page.getByTestId('play').click();
  await page.waitForFunction(() => Number(document.querySelector('[data-testid=time]').dataset.ps) > 20e6);
  await page.getByTestId('play').click();
  await page.locator('[data-testid=play][aria-label=Play]').waitFor();
  const opened = page.waitForEvent('popup');
  await page.getByTestId('open-page').focus();
  await page.keyboard.press('Enter');
  const whole = await opened;
  await ready(whole);
  const now = linkTime(whole.url());
  assert.ok(now > 20e6, `${now} ps`);
  await whole.locator(`[data-testid=time][data-ps="${now}"]`).waitFor({ timeout: 60_000 });
  assert.ok(!whole.url().includes('embed'), whole.url());
  await whole.getByTestId('share').waitFor();
});

test('a frame keeps nothing in the browser and registers no service worker', async (t) => {
  const page = await lesson(t, [{ query: '?embed', link: '#preset/link-dies' }], { keeps: true });
  const frame = page.frameLocator('#f0');
  await frame.getByTestId('start').click();
  await frame.locator('[data-testid=time]:not([data-ps="0"])').waitFor();
  await frame.getByTestId('stage-canvas').focus();
  await page.keyboard.press('b');
  const box = await frame.getByTestId('stage-canvas').boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  const kept = await page.evaluate(async () => ({ workers: (await navigator.serviceWorker.getRegistrations()).length, scenarios: localStorage.getItem('scenarios') }));
  assert.deepEqual(kept, { workers: 0, scenarios: null });
});

test('hosts and comparisons are frames too', async (t) => {
  const page = await lesson(t, [
    { query: '?embed=timeline', link: '#preset/host-first-packet' },
    { query: '?embed=timeline', link: '#c=preset/incast,link-dies' },
  ]);
  for (const id of ['#f0', '#f1']) {
    const frame = page.frameLocator(id);
    await frame.locator('[data-testid=app][data-asleep=true]').waitFor();
    assert.equal(await frame.getByTestId('share').count(), 0);
    await frame.getByTestId('start').click();
    await frame.locator('.embed-bar [data-testid=time]:not([data-ps="0"])').waitFor({ timeout: 60_000 });
  }
  await page.frameLocator('#f0').getByTestId('time-bar').waitFor();
});

test('an address that asks for a frame of another kind says what there is', async (t) => {
  const page = await openPage(t, '?embed=everything#preset/incast');
  await page.getByTestId('notice').filter({ hasText: 'embed=everything' }).filter({ hasText: 'embed=timeline' }).waitFor();
  await page.getByTestId('start').click();
  await ready(page);
});

test('the dialog gives the HTML of a frame, which works', async (t) => {
  const page = await openPage(t, '#preset/incast', { context: { permissions: ['clipboard-read', 'clipboard-write'] } });
  await ready(page);
  await page.getByTestId('share').click();
  await page.getByTestId('share-tab-embed').click();
  await page.getByTestId('embed-extra').check();
  await page.getByTestId('copy-embed').click();
  await page.getByTestId('share-status').filter({ hasText: 'Copied' }).waitFor();
  const code = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(code, /^<iframe src="http:\/\/[^"]*\/\?embed=timeline#1\.[\w-]+" title="[^"]+" /);
  const other = await page.context().newPage();
  await other.route(`${url}lesson.html`, (route) => route.fulfill({ contentType: 'text/html', body: `<!DOCTYPE html><title>A lesson</title>${code}` }));
  await other.goto(`${url}lesson.html`);
  const frame = other.frameLocator('iframe');
  await frame.getByTestId('start').click();
  await frame.locator('[data-testid=time]:not([data-ps="0"])').waitFor({ timeout: 60_000 });
});
