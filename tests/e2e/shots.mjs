// Pictures of the page for the docs: `cargo xtask shots`. Not a test; it fails only when the page does.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { find, finish, press, reach, ready } from './stage.mjs';

const [, , into] = process.argv;
const args = process.env.FLOWGLASS_CHROMIUM_ARGS.split(' ');
const url = process.env.FLOWGLASS_URL;

/** Runs the preset until a time in µs and pauses. */
async function playUntil(page, us, speed = 14) {
  await page.getByTestId('speed').fill(String(speed));
  await press(page, 'Space');
  await reach(page, us);
  await press(page, 'Space');
}

const SHOTS = {
  // The README's picture: the link is down, losses are found, EVs go out of use.
  'link-dies': async (page) => {
    await find(page, 'QP 0');
    await playUntil(page, 131);
  },
  packet: async (page) => {
    await playUntil(page, 20);
    await press(page, 'n');
    await page.getByTestId('headers').waitFor();
    await page.getByTestId('header').locator('summary').nth(1).click();
  },
  results: async (page) => {
    await finish(page);
  },
};

const SIZES = { '': { width: 1440, height: 900 }, '-phone': { width: 390, height: 844 } };

await mkdir(into, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.FLOWGLASS_CHROMIUM,
  chromiumSandbox: !args.includes('--no-sandbox'),
  args,
});
try {
  for (const [name, prepare] of Object.entries(SHOTS)) {
    for (const theme of ['dark', 'light']) {
      for (const [size, viewport] of Object.entries(SIZES)) {
        if (size !== '' && name !== 'link-dies') continue;
        const page = await browser.newPage({ viewport, colorScheme: theme });
        await page.goto(url);
        await ready(page);
        await prepare(page);
        await page.waitForTimeout(300);
        await page.screenshot({ path: join(into, `${name}${size}-${theme}.png`) });
        await page.close();
      }
    }
  }
} finally {
  await browser.close();
}
