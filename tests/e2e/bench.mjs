// Runs benchmark cases in Web Workers: `cargo xtask bench`. Not a test.
//
// Arguments: how many runs, then the cases. One line of JSON for each run on standard output. Every run has a browser
// of its own, so that no run finds the code of an earlier one compiled; each round goes through all cases, so that a
// busy minute of the machine does not hit one case alone.

import { chromium } from 'playwright-core';

/** The time that one run has, in milliseconds. */
const TIMEOUT_MS = 600_000;

const [, , runs, ...cases] = process.argv;
const args = process.env.FLOWGLASS_CHROMIUM_ARGS.split(' ');

async function run(name) {
  const browser = await chromium.launch({
    executablePath: process.env.FLOWGLASS_CHROMIUM,
    chromiumSandbox: !args.includes('--no-sandbox'),
    args,
  });
  try {
    const page = await browser.newPage();
    await page.goto(process.env.FLOWGLASS_URL);
    const result = await page.evaluate(
      ([name, timeout]) =>
        new Promise((resolve, reject) => {
          setTimeout(() => reject(new Error(`${name} did not end in ${timeout / 1000} s`)), timeout);
          const worker = new Worker('./worker.js', { type: 'module', name });
          worker.onmessage = ({ data }) => (data.error ? reject(new Error(`${name}: ${data.error}`)) : resolve(data));
          worker.onerror = ({ message }) => reject(new Error(`${name}: ${message ?? 'the worker did not load'}`));
        }),
      [name, TIMEOUT_MS],
    );
    console.log(JSON.stringify(result));
  } finally {
    await browser.close();
  }
}

for (let round = 0; round < Number(runs); round += 1) {
  for (const name of cases) await run(name);
}
