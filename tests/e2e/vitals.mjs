// How quickly the page is there, what it transfers, and how evenly it draws while a run plays: `cargo xtask vitals`. Not a test: times
// depend on the machine. Prints tables in Markdown.

import { availableParallelism, loadavg } from 'node:os';
import { launch, url } from './browser.mjs';
import { ready } from './stage.mjs';

const VISITS = 5;
const SECONDS = 6;
const WINDOW = { width: 1440, height: 900 };
const PLAYED = ['link-dies', 'eight-planes', 'incast', 't1-dies', 'all-to-all', 'roce-pfc-incast', 'whole-fabric'];
/** A screen that shows 60 frames a second has one every 16.7 ms; this is one that came late. */
const LATE_MS = 20;

const browser = await launch();

/** The middle of some numbers. */
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** One visit with nothing in the cache: ms until a run can be played, and what came over the network. */
async function visit(fragment) {
  const context = await browser.newContext({ viewport: WINDOW });
  const page = await context.newPage();
  const requests = [];
  page.on('requestfinished', (request) => requests.push(request));
  await page.addInitScript(() => {
    const look = () => {
      const play = document.querySelector('[data-testid=app][data-phase=ready] [data-testid=play]:not(:disabled)');
      if (play) globalThis.playable = performance.now();
      else requestAnimationFrame(look);
    };
    look();
  });
  await page.goto(url + fragment);
  await page.waitForFunction(() => globalThis.playable !== undefined, undefined, { timeout: 120_000 });
  const ms = await page.evaluate(() => globalThis.playable);
  let bytes = 0;
  // The service worker loads the same files again from the browser's cache; what the page itself needs is counted.
  for (const request of requests.filter((one) => one.serviceWorker() === null)) {
    const sizes = await request.sizes();
    bytes += sizes.responseHeadersSize + sizes.responseBodySize;
  }
  await context.close();
  return { ms, bytes, files: requests.length };
}

/** What all files of the page take that the service worker keeps, as they come over the network. */
async function kept() {
  const page = await browser.newPage({ serviceWorkers: 'block' });
  await page.goto(url);
  const files = await page.evaluate(() => globalThis.FLOWGLASS.files);
  let bytes = 0;
  for (const file of files) {
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url() === new URL(file, url).href),
      page.evaluate((name) => fetch(name, { cache: 'no-store' }).then((got) => got.arrayBuffer()), file),
    ]);
    const sizes = await answer.request().sizes();
    bytes += sizes.responseHeadersSize + sizes.responseBodySize;
  }
  await page.close();
  return bytes;
}

/** Milliseconds between frames while a preset plays with the timeline open. */
async function frames(slug) {
  const page = await browser.newPage({ viewport: WINDOW });
  await page.goto(`${url}#preset/${slug}`);
  await ready(page);
  await page.getByTestId('tab-timeline').click();
  await page.getByTestId('play').click();
  const times = await page.evaluate((seconds) => new Promise((resolve) => {
    const times = [];
    const end = performance.now() + seconds * 1000;
    const note = (now) => {
      times.push(now);
      if (now < end) requestAnimationFrame(note);
      else resolve(times);
    };
    requestAnimationFrame(note);
  }), SECONDS);
  await page.close();
  return times.slice(1).map((time, i) => time - times[i]).toSorted((a, b) => a - b);
}

console.log(`${availableParallelism()} cores, load average ${loadavg()[0].toFixed(1)}, ${browser.version()}, headless, drawn without a graphics processor.\n`);
console.log('| First visit, nothing cached | until a run can be played, ms: median | worst | transferred, kB | files |\n|---|--:|--:|--:|--:|');
for (const [name, fragment] of [['without a link (a fabric)', ''], ['`#preset/host-first-packet`', '#preset/host-first-packet']]) {
  const visits = [];
  for (let n = 0; n < VISITS; n += 1) visits.push(await visit(fragment));
  const times = visits.map((one) => one.ms);
  const kilobytes = median(visits.map((one) => one.bytes)) / 1000;
  console.log(`| ${name} | ${median(times).toFixed(0)} | ${Math.max(...times).toFixed(0)} | ${kilobytes.toFixed(0)} | ${visits[0].files} |`);
}
console.log(`| kept afterwards for working offline: all files | | | ${(await kept() / 1000).toFixed(0)} | |\n`);

console.log(`| Playing for ${SECONDS} s with the timeline open | frames a second | ms between frames: median | 95 % | later than ${LATE_MS} ms |\n|---|--:|--:|--:|--:|`);
for (const slug of PLAYED) {
  const each = await frames(slug);
  const total = each.reduce((sum, ms) => sum + ms, 0);
  const late = each.filter((ms) => ms > LATE_MS).length;
  console.log(`| \`${slug}\` | ${((1000 * each.length) / total).toFixed(1)} | ${median(each).toFixed(1)} | ${each[Math.floor(each.length * 0.95)].toFixed(1)} | ${((100 * late) / each.length).toFixed(1)} % |`);
}
await browser.close();

console.log('\n```');
await import('./seek-times.mjs');
console.log('```');
