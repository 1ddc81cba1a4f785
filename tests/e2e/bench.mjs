// Runs benchmark cases in Web Workers: `cargo xtask bench`. Not a test.
//
// FLOWGLASS_CASES: the cases, with commas between; operations on flow tables as "flows OPERATION DESIGN". One line of JSON for each on standard
// output. Each has a browser of its own, so that no run finds the code of an earlier one compiled.

import { chromium } from 'playwright-core';
import { workerSeconds } from './worker-seconds.mjs';

/** The time that one run has, in milliseconds. */
const TIMEOUT_MS = 600_000;

/** The time that a new browser has for its own affairs, which are not to be measured. */
const SETTLE_MS = 1_000;

const cases = process.env.FLOWGLASS_CASES.split(',');
const args = process.env.FLOWGLASS_CHROMIUM_ARGS.split(' ');

/** In the page: starts a worker, or tells it to go on, and waits for its next message. */
function next([name, timeout]) {
  return new Promise((resolve, reject) => {
    const fail = (reason) => reject(new Error(`${name}: ${reason}`));
    setTimeout(fail, timeout, `no answer in ${timeout / 1000} s`);
    if (window.worker) window.worker.postMessage('go');
    else window.worker = new Worker('./worker.js', { type: 'module', name });
    window.worker.onmessage = ({ data }) => (data.error ? fail(data.error) : resolve(data));
    window.worker.onerror = ({ message }) => fail(message ?? 'the worker did not load');
  });
}

async function run(name) {
  const browser = await chromium.launch({
    executablePath: process.env.FLOWGLASS_CHROMIUM,
    chromiumSandbox: !args.includes('--no-sandbox'),
    args,
  });
  try {
    const page = await browser.newPage();
    await page.goto(process.env.FLOWGLASS_URL);
    await page.evaluate(next, [name, TIMEOUT_MS]);
    await page.waitForTimeout(SETTLE_MS);
    const before = await workerSeconds();
    const result = await page.evaluate(next, [name, TIMEOUT_MS]);
    if (name.startsWith('flows ')) {
      console.log(JSON.stringify(result));
      return;
    }
    const after = await workerSeconds();
    const cpu_s = before === null || after === null ? null : (after - before) / result.repeats;
    console.log(JSON.stringify({ ...result, cpu_s }));
  } finally {
    await browser.close();
  }
}

for (const name of cases) await run(name);
