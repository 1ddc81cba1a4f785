// Measures drawing: `cargo xtask draw`. Not a test. Prints a table in Markdown.
//
// FLOWGLASS_WAYS in the environment chooses ways of drawing: "software" (the default, without a graphics processor), "gpu"
// (WebGL 2 on the machine's graphics processor), "swiftshader" (WebGL 2 without one, which the page never chooses by
// itself); several with commas between.

import { chromium } from 'playwright-core';
import { find, place, press, ready } from './stage.mjs';

const SECONDS = 8;
const WINDOW = { width: 1440, height: 900 };
const url = process.env.FLOWGLASS_URL;
const common = process.env.FLOWGLASS_CHROMIUM_ARGS.split(' ');
const without = common.filter((argument) => argument !== '--disable-gpu');

/** The ways of drawing: name, the page's painter, the browser's arguments. */
const WAYS = {
  software: ['wasm raster', 'software', common],
  gpu: ['WebGL 2 on the graphics processor', 'webgl', without],
  swiftshader: ['WebGL 2 on SwiftShader', 'webgl', [...common, '--enable-unsafe-swiftshader']],
};
const chosen = (process.env.FLOWGLASS_WAYS ?? 'software').split(',').map((name) => {
  if (!WAYS[name]) throw new Error(`FLOWGLASS_WAYS: ${name} is none of ${Object.keys(WAYS).join(', ')}`);
  return WAYS[name];
});

/** One plane in which 100,000 links and 50,000 packets are in sight at a time. */
const CROWD = {
  version: 1,
  name: 'Crowd',
  until: '5ms',
  fabric: { planes: 1, t0_per_plane: 440, t1_per_plane: 440, nics_per_t0: 28, nic_link_rate: '400Gbps' },
  transport: { evs: 32 },
  traffic: [{ kind: 'permutation', shift: 2800, bytes: '16MiB' }],
};

/** 131,072 NICs, of which every sixteenth sends. */
const LARGEST = {
  version: 1,
  name: 'Largest',
  until: '1ms',
  fabric: { planes: 8, t0_per_plane: 512, t1_per_plane: 256, nics_per_t0: 256, nic_link_rate: '100Gbps' },
  transport: { evs: 32 },
  traffic: [
    {
      kind: 'flows',
      list: Array.from({ length: 8192 }, (_, i) => [i * 16, (i * 16 + 9475) % 131_072, 1_000_000, 0, i + 1]),
    },
  ],
};

async function open(browser, painter, scenario) {
  const page = await browser.newPage({ viewport: WINDOW, colorScheme: 'dark' });
  await page.goto(`${url}?painter=${painter}`);
  await ready(page);
  await page.getByTestId('file-input').setInputFiles({
    name: 'scenario.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(scenario)),
  });
  await page.getByTestId('scenario-name').filter({ hasText: scenario.name }).waitFor();
  await page.locator('[data-testid=app][data-phase=ready]').waitFor({ timeout: 300_000 });
  return page;
}

/** In the page: for some seconds, when the browser was about to paint, and how often the stage was drawn. */
function watch([seconds, step]) {
  const stage = document.querySelector('[data-testid=stage]');
  const canvas = document.querySelector('[data-testid=stage-canvas]');
  const box = canvas.getBoundingClientRect();
  const drawn = () => Number(stage.dataset.drawn);
  return new Promise((resolve) => {
    const gaps = [];
    let [packets, links, samples] = [0, 0, 0];
    const [started, first] = [performance.now(), drawn()];
    let last = started;
    const tick = () => {
      const now = performance.now();
      gaps.push(now - last);
      last = now;
      packets += Number(stage.dataset.packets);
      links += Number(stage.dataset.links);
      samples += 1;
      if (now - started > seconds * 1000) {
        gaps.sort((a, b) => a - b);
        resolve({
          fps: ((drawn() - first) / (now - started)) * 1000,
          median: gaps[Math.floor(gaps.length / 2)],
          p95: gaps[Math.floor(gaps.length * 0.95)],
          worst: gaps.at(-1),
          packets: packets / samples,
          links: links / samples,
        });
        return;
      }
      if (step) {
        // In for the first half, out for the second; and to and fro all the while.
        const inward = (now - started) / (seconds * 1000) < 0.5;
        const swing = Math.sin((now - started) / 300) * box.width * 0.1;
        canvas.dispatchEvent(
          new WheelEvent('wheel', {
            deltaY: inward ? -step : step,
            clientX: box.x + box.width * 0.4 + swing,
            clientY: box.y + box.height * 0.3,
            bubbles: true,
            cancelable: true,
          }),
        );
      }
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
}

/** Starts a run and waits until its packets are on their way. */
async function play(page, us, speed) {
  await page.getByTestId('speed').fill('20');
  await press(page, 'Space');
  await page.waitForFunction(
    (ps) => Number(document.querySelector('[data-testid=time]').dataset.ps) >= ps,
    us * 1e6,
    { timeout: 600_000 },
  );
  await page.getByTestId('speed').fill(String(speed));
}

/** Magnifies around a point until so many links are in sight. */
async function magnify(page, { x, y }, links) {
  await page.mouse.move(x, y);
  for (let turn = 0; turn < 100; turn++) {
    if (Number(await page.getByTestId('stage').getAttribute('data-links')) >= links) return;
    await page.mouse.wheel(0, -15);
    await page.waitForTimeout(500);
  }
  throw new Error(`there are never ${links} links in sight in a window of this size`);
}

const CASES = {
  'run in slow motion': async (browser, painter) => {
    const page = await open(browser, painter, CROWD);
    await play(page, 12, 3);
    const box = await page.getByTestId('stage').boundingBox();
    await magnify(page, { x: box.x + box.width / 2, y: box.y + box.height * 0.4 }, 90_000);
    await page.waitForTimeout(3000);
    return page.evaluate(watch, [SECONDS, 0]);
  },
  'the same, while zooming and panning': async (browser, painter) => {
    const page = await open(browser, painter, CROWD);
    await play(page, 12, 3);
    const box = await page.getByTestId('stage').boundingBox();
    await magnify(page, { x: box.x + box.width / 2, y: box.y + box.height * 0.4 }, 90_000);
    return page.evaluate(watch, [SECONDS, 1]);
  },
  '131,072 NICs, while zooming from planes to NICs and back': async (browser, painter) => {
    const page = await open(browser, painter, LARGEST);
    await play(page, 5, 3);
    await find(page, 'p1/t0.200');
    await place(page);
    return page.evaluate(watch, [SECONDS, 25]);
  },
};

console.log('| Case | Way of drawing | Links in sight | Packets in sight | Frames drawn per s | Frame interval: median, p95, worst (ms) |');
console.log('|---|---|---:|---:|---:|---:|');
for (const [name, measure] of Object.entries(CASES)) {
  for (const [way, painter, args] of chosen) {
    const browser = await chromium.launch({
      executablePath: process.env.FLOWGLASS_CHROMIUM,
      chromiumSandbox: !args.includes('--no-sandbox'),
      args,
    });
    try {
      const result = await measure(browser, painter);
      const whole = (value) => Math.round(value).toLocaleString('en');
      const intervals = [result.median, result.p95, result.worst].map((ms) => ms.toFixed(0)).join(', ');
      console.log(
        `| ${name} | ${way} | ${whole(result.links)} | ${whole(result.packets)} | ${result.fps.toFixed(0)} | ${intervals} |`,
      );
    } finally {
      await browser.close();
    }
  }
}
