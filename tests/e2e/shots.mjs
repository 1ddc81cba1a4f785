// Pictures of the page for the docs: `cargo xtask shots`. Not a test; it fails only when the page does.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { launch, url } from './browser.mjs';
import { find, finish, openScenario, place, press, reach, ready } from './stage.mjs';

const [, , into] = process.argv;

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
    await page.locator('[data-header="Outer IPv6"] > .tree-line').click();
  },
  results: async (page) => {
    await finish(page);
  },
  // From the fault to the last packet that was sent into it.
  recovery: async (page) => {
    await playUntil(page, 400, 17);
    await find(page, 'p1/t0.0-t1.2');
    await page.getByTestId('tab-events').click();
    await page.locator('[data-testid=event][data-kind=broke] button').click();
    await page.getByTestId('tab-timeline').click();
  },
  'break-menu': async (page) => {
    await playUntil(page, 20);
    await find(page, 'p0/t0.1-t1.2');
    await page.locator('[data-testid=locator]:not([hidden])').waitFor();
    const { x, y } = await place(page);
    await page.mouse.click(x, y, { button: 'right' });
    await page.getByTestId('menu-kind').selectOption('link_flap');
  },
  // An experiment of the paper: its figures beside ours, and why one differs.
  paper: async (page) => {
    await page.goto(`${url}#preset/paper-fig-18`);
    await page.locator('.preset.current').getByTestId('preset-paper-fig-18').waitFor({ state: 'attached' });
    await ready(page);
    await playUntil(page, 60);
    const tab = page.getByTestId('tab-paper');
    await ((await tab.isVisible()) ? tab : page.getByTestId('panel-paper')).click();
    await page.getByTestId('paper-row').filter({ hasText: 'differs' }).click();
    if (!(await tab.isVisible())) await page.locator('.paper-table').evaluate((table) => table.scrollIntoView());
  },
  job: async (page) => {
    await openScenario(page, JOB);
    await finish(page);
    await page.getByTestId('tab-jobs').click();
    await page.getByTestId('job-step').first().waitFor();
  },
};

/** Steps of a job over a fabric of which a T1 reboots. */
const JOB = {
  version: 1,
  name: 'Steps while a T1 reboots',
  until: '5ms',
  fabric: { planes: 4, t0_per_plane: 4, t1_per_plane: 4, nics_per_t0: 4, nic_link_rate: '100Gbps' },
  traffic: [{ kind: 'job', collective: 'ring_all_reduce', ranks: 16, bytes: '4MB', steps: 6, compute: '20us' }],
  faults: [{ at: '300us', kind: 'switch_reboot', switch: 'p1/t1.2', duration: '200us' }],
};

/** What is taken in both themes. */
const IN_LIGHT = ['link-dies', 'packet', 'results', 'paper'];

/** What is taken on a phone, too. */
const ON_PHONE = ['link-dies', 'paper'];

const SIZES = { '': { width: 1440, height: 900 }, '-phone': { width: 390, height: 844 } };

await mkdir(into, { recursive: true });
const browser = await launch();
try {
  for (const [name, prepare] of Object.entries(SHOTS)) {
    for (const theme of ['dark', 'light']) {
      for (const [size, viewport] of Object.entries(SIZES)) {
        if (size !== '' && !ON_PHONE.includes(name)) continue;
        if (theme === 'light' && !IN_LIGHT.includes(name)) continue;
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
