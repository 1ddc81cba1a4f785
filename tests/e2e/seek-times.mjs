// How long seeking takes in Chromium, preset by preset: `node seek-times.mjs [SLUG…]` with the variables of the tests. Not a test:
// wall-clock times depend on the machine. Each preset is run to its end; then time goes to places all over the run. On a fabric's page a
// seek lasts until the worker's answer, on a host's until the page shows the time.

import { launch, url } from './browser.mjs';
import { press, ready } from './stage.mjs';

/** Where seeks go, as parts of the run: far apart, near by, backwards and on. */
const PLACES = [0.5, 0.1, 0.9, 0.02, 0.7, 0.69, 0.3, 0.98, 0.4, 0.0, 0.6, 0.2, 0.85, 0.15, 0.75];

const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
// The worker's answers to seeks, with the time from the question to the answer.
await page.addInitScript(() => {
  const post = Worker.prototype.postMessage;
  window.seeks = [];
  let asked = null;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (!this.heard) {
      this.heard = true;
      this.addEventListener('message', ({ data }) => {
        // FromWorker::Sought; its last byte tells whether the run is there.
        if (asked !== null && data.m[0] === 4) {
          window.seeks.push({ ms: performance.now() - asked, reached: data.m.at(-1) === 1 });
          asked = null;
        }
      });
    }
    // ToWorker::Seek.
    if (message.m[0] === 4) asked = performance.now();
    return post.call(this, message, ...rest);
  };
});
await page.goto(url);
await ready(page);
const slugs = process.argv.length > 2
  ? process.argv.slice(2)
  : await page.locator('[data-testid^=preset-]').evaluateAll((all) => all.map((one) => one.dataset.testid.slice('preset-'.length)));
/** The times of seeks on a fabric's timeline, in ms. */
async function onTimeline() {
  const box = await page.getByTestId('timeline-plots').boundingBox();
  await page.evaluate(() => { window.seeks = []; });
  for (const place of PLACES) {
    const before = await page.evaluate(() => window.seeks.length);
    // Below the marks, which would be selected.
    await page.mouse.click(box.x + Math.max(1, box.width * place), box.y + 34);
    await page.waitForFunction((n) => window.seeks.length > n && window.seeks.at(-1).reached, before, { timeout: 60_000 }).catch(() => {});
  }
  return (await page.evaluate(() => window.seeks)).map(({ ms }) => ms);
}

/** The same on a host's time bar. */
async function onTimeBar() {
  const times = [];
  for (const place of PLACES) {
    times.push(await page.evaluate((place) => new Promise((resolve) => {
      const bar = document.querySelector('[data-testid=time-bar]');
      const clock = document.querySelector('[data-testid=time]');
      const before = clock.dataset.ps;
      bar.value = String(Math.round(Number(bar.max) * place));
      const asked = performance.now();
      bar.dispatchEvent(new InputEvent('input', { bubbles: true }));
      const look = () => {
        const isThere = clock.dataset.ps !== before && !document.querySelector('[data-testid=status]').textContent.includes('on the way');
        if (isThere) resolve(performance.now() - asked);
        else setTimeout(look, 1);
      };
      look();
    }), place));
  }
  return times;
}

console.log('preset                              run ms   seeks   median ms   max ms');
for (const slug of slugs) {
  await page.goto(`${url}#preset/${slug}`);
  await page.reload();
  const kind = await Promise.any([
    page.getByTestId('timeline-plots').waitFor({ timeout: 20_000 }).then(() => 'fabric'),
    page.getByTestId('time-bar').waitFor({ timeout: 20_000 }).then(() => 'host'),
  ]).catch(() => null);
  // Comparisons have neither.
  if (kind === null) continue;
  await ready(page);
  const start = Date.now();
  await press(page, 'e');
  await page.locator('[data-testid=play][aria-label=Play]:disabled').waitFor({ timeout: 300_000 });
  const ran = Date.now() - start;
  const times = (kind === 'host' ? await onTimeBar() : await onTimeline()).sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)] ?? NaN;
  console.log(`${slug.padEnd(34)} ${String(ran).padStart(8)} ${String(times.length).padStart(7)} ${median.toFixed(0).padStart(11)} ${(times.at(-1) ?? NaN).toFixed(0).padStart(8)}`);
}
await browser.close();
