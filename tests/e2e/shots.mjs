// Pictures of every view for the docs, light and dark, wide and narrow, and a gallery of them: `cargo xtask shots`. Not a test: what cannot
// be taken is told at the end, and is all that makes it fail, beside pictures that grow too large.
//
// `node shots.mjs FOLDER VIEW…` takes some of them only.

import assert from 'node:assert/strict';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launch, url } from './browser.mjs';
import { find, openScenario, place, press, reach, ready } from './stage.mjs';

const [, , into, ...only] = process.argv;

/** Sizes of windows, in CSS pixels; what is after the view's name in the name of a picture. */
const WIDE = { suffix: '', width: 1440, height: 900 };
const PHONE = { suffix: '-phone', width: 390, height: 844 };
/** WebP's quality, and the most that a picture and all of them may take, in bytes. */
const QUALITY = 30;
const PICTURE_MOST = 150_000;
const ALL_MOST = 5_000_000;

/** Plays until a time in µs and pauses. */
async function playUntil(page, us, speed = 14) {
  await page.getByTestId('speed').fill(String(speed));
  await press(page, 'Space');
  await reach(page, us);
  await press(page, 'Space');
}

/** Runs to the end. */
async function toTheEnd(page) {
  await page.getByTestId('run-to-end').click();
  await page.locator('[data-testid=play][aria-label=Play]:disabled').waitFor({ timeout: 240_000 });
}

/** Opens a tab of the dock, or the panel of a narrow window. */
const tab = (name) => async (page) => {
  const docked = page.getByTestId(`tab-${name}`);
  await ((await docked.isVisible()) ? docked : page.getByTestId(`panel-${name}`)).click();
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

/**
 * What is shown: where it begins, what is done there in a wide window, and what in a narrow one afterwards.
 *
 * @type {{name: string, says: string, at: string, opened?: (page) => Promise<void>, wide?: (page) => Promise<void>, narrow?: (page) => Promise<void>}[]}
 */
const VIEWS = [
  {
    name: 'link-dies',
    says: 'A link has failed in plane 1: losses are found, EVs go out of use.',
    at: '#preset/link-dies',
    wide: async (page) => {
      await find(page, 'QP 0');
      await playUntil(page, 131);
    },
    narrow: tab('timeline'),
  },
  { name: 'story', says: 'A step of a story: it moves time and view.', at: '#story/link-dies/3' },
  { name: 'host-story', says: 'A step of a story about a host: a SYN flood.', at: '#story/syn-flood/3' },
  {
    name: 'charts',
    says: 'The run in charts.',
    at: '#preset/link-dies',
    wide: async (page) => {
      await toTheEnd(page);
      await tab('charts')(page);
    },
    narrow: tab('charts'),
  },
  {
    name: 'embed',
    says: 'The page as a frame in another one.',
    at: '?embed=timeline#preset/link-dies',
    // It sleeps until it is clicked.
    opened: async (page) => {
      await page.getByTestId('start').click();
      await reach(page, 131);
      await page.getByTestId('play').click();
    },
  },
  {
    name: 'packet',
    says: 'A packet: its headers beside its bytes, and where it is on its way.',
    at: '#preset/link-dies',
    wide: async (page) => {
      await playUntil(page, 20);
      await press(page, 'n');
      await page.getByTestId('headers').waitFor();
      await page.locator('[data-header="Outer IPv6"] > .tree-line').click();
    },
    narrow: tab('inspect'),
  },
  {
    name: 'link',
    says: 'A link in the inspector: its queue, and what was dropped for which reason.',
    at: '#preset/link-dies',
    wide: async (page) => {
      await playUntil(page, 131);
      await find(page, 'p1/t0.0-t1.2');
    },
    narrow: tab('inspect'),
  },
  {
    name: 'break-menu',
    says: 'Every way to break a link, at the link.',
    at: '#preset/link-dies',
    wide: async (page) => {
      await playUntil(page, 20);
      await find(page, 'p0/t0.1-t1.2');
      await page.locator('[data-testid=locator]:not([hidden])').waitFor();
      const { x, y } = await place(page);
      await page.mouse.click(x, y, { button: 'right' });
      await page.getByTestId('menu-kind').selectOption('link_flap');
    },
  },
  {
    name: 'recovery',
    says: 'From a fault to the last packet that was sent into it.',
    at: '#preset/link-dies',
    wide: async (page) => {
      await playUntil(page, 400, 17);
      await find(page, 'p1/t0.0-t1.2');
      await tab('events')(page);
      await page.locator('[data-testid=event][data-kind=broke] button').click();
      await tab('timeline')(page);
    },
    narrow: tab('inspect'),
  },
  {
    name: 'events',
    says: 'Every event, by a filter.',
    at: '#preset/link-dies',
    wide: async (page) => {
      await toTheEnd(page);
      await tab('events')(page);
      await page.getByTestId('events-all').click();
      await page.getByTestId('event-filter').fill('qp == 0 && (drop || resent)');
      await page.getByTestId('event-row').first().click();
    },
    narrow: tab('events'),
  },
  {
    name: 'flows',
    says: 'What became of the flows.',
    at: '#preset/link-dies',
    wide: async (page) => {
      await toTheEnd(page);
      await tab('flows')(page);
    },
    narrow: tab('flows'),
  },
  {
    name: 'editor',
    says: 'The scenario as forms and as JSON.',
    at: '#preset/link-dies',
    wide: async (page) => {
      await press(page, 'Shift+E');
      await page.getByTestId('editor').waitFor();
    },
  },
  {
    name: 'sweep',
    says: 'The same with eight seeds.',
    at: '#preset/link-dies',
    wide: async (page) => {
      await tab('sweep')(page);
      await page.getByTestId('sweep-start').click();
      await page.getByTestId('sweep-copy').waitFor({ timeout: 240_000 });
    },
    narrow: tab('sweep'),
  },
  {
    name: 'job',
    says: 'A training job: what a failure costs is the slowest step.',
    at: '#preset/link-dies',
    wide: async (page) => {
      await openScenario(page, JOB);
      await toTheEnd(page);
      await tab('jobs')(page);
      await page.getByTestId('job-step').first().waitFor();
    },
    narrow: tab('jobs'),
  },
  {
    name: 'paper',
    says: 'An experiment of the paper: its figures beside ours, and why one differs.',
    at: '#preset/paper-fig-18',
    wide: async (page) => {
      await playUntil(page, 60);
      await tab('paper')(page);
      await page.getByTestId('paper-row').filter({ hasText: 'differs' }).click();
    },
    narrow: tab('paper'),
  },
  {
    name: 'deadlock',
    says: 'RoCE: paused links wait for each other.',
    at: '#preset/pfc-deadlock',
    wide: async (page) => {
      await press(page, 'e');
      await page.getByTestId('deadlock').first().waitFor({ timeout: 240_000 });
    },
  },
  {
    name: 'compare',
    says: 'RoCE and MRC side by side, with one clock.',
    at: '#preset/roce-t1-dies',
    wide: async (page) => {
      await page.getByTestId('compare').click();
      await page.getByTestId('counterpart-mrc').click();
      await page.locator('[data-testid=app][data-runs="2"][data-phase=ready]').waitFor({ timeout: 240_000 });
      await toTheEnd(page);
    },
  },
  {
    name: 'host',
    says: 'A host: the first packet climbs through VFP, the rest stays in the SmartNIC.',
    at: '#preset/host-first-packet',
    wide: async (page) => {
      for (let step = 0; step < 12; step++) await press(page, '.');
      await press(page, 'n');
    },
    narrow: tab('inspect'),
  },
  { name: 'host-charts', says: 'A host in numbers: a SYN flood.', at: '#preset/host-syn-flood', wide: toTheEnd, narrow: tab('charts') },
  {
    name: 'host-tables',
    says: 'The SmartNIC’s tables.',
    at: '#preset/host-first-packet',
    wide: async (page) => {
      await toTheEnd(page);
      await tab('tables')(page);
    },
    narrow: tab('tables'),
  },
  { name: 'host-process', says: 'What every layer would do to a packet.', at: '#preset/host-first-packet', wide: tab('process'), narrow: tab('process') },
  { name: 'host-cost', says: 'What the card costs, with every input changeable.', at: '#preset/host-first-packet', wide: tab('cost'), narrow: tab('cost') },
  { name: 'keys', says: 'Keys and symbols.', at: '#preset/link-dies', wide: async (page) => press(page, '?') },
  {
    name: 'share',
    says: 'The whole experiment in a link.',
    at: '#preset/link-dies',
    wide: async (page) => {
      await page.getByTestId('share').click();
      await page.getByTestId('share-link').waitFor();
    },
  },
];

/** Takes a picture; how many bytes it has. */
async function shoot(page, name) {
  await page.waitForTimeout(350);
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  await session.detach();
  const bytes = Buffer.from(data, 'base64');
  assert.ok(bytes.length <= PICTURE_MOST, `${name} takes ${bytes.length} bytes`);
  await writeFile(join(into, `${name}.webp`), bytes);
  return bytes.length;
}

/** The gallery of those views of which there are pictures. */
function gallery(files) {
  const picture = (name) => `<a href="${name}.webp"><img src="${name}.webp" alt="" height="260"></a>`;
  const views = VIEWS.filter(({ name }) => files.includes(`${name}-dark.webp`)).map(({ name, says }) => {
    const names = [WIDE, PHONE].flatMap(({ suffix }) => ['light', 'dark'].map((theme) => `${name}${suffix}-${theme}`));
    return `## ${says}\n\n${names.map(picture).join('\n')}\n`;
  });
  return `# The page in pictures\n\nMade by \`cargo xtask shots\`: every view, light and dark, in a window of ${WIDE.width} × ${WIDE.height} and on a phone of ${PHONE.width} × ${PHONE.height} CSS pixels.\n\n${views.join('\n')}`;
}

/** Takes the pictures of a view; how many bytes they have. */
async function take(browser, { name, at, opened = ready, wide, narrow }) {
  // Less motion: no picture is taken half-way.
  const page = await browser.newPage({ viewport: WIDE, colorScheme: 'dark', reducedMotion: 'reduce', serviceWorkers: 'block', permissions: ['clipboard-write'] });
  try {
    await page.goto(url + at);
    await opened(page);
    // A host that opens at a time has to be simulated up to there.
    await page.getByText(/^on the way to/).waitFor({ state: 'hidden', timeout: 60_000 });
    await wide?.(page);
    let bytes = 0;
    for (const size of [WIDE, PHONE]) {
      if (size === PHONE) {
        await page.setViewportSize(PHONE);
        await narrow?.(page);
      }
      for (const colorScheme of ['dark', 'light']) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        bytes += await shoot(page, `${name}${size.suffix}-${colorScheme}`);
      }
    }
    return bytes;
  } finally {
    await page.close();
  }
}

await mkdir(into, { recursive: true });
const browser = await launch();
const wrong = [];
let total = 0;
for (const view of VIEWS.filter(({ name }) => !only.length || only.includes(name))) {
  try {
    total += await take(browser, view);
    console.log(view.name);
  } catch (error) {
    wrong.push(`${view.name}: ${error.message}`);
  }
}
await browser.close();
if (!only.length && !wrong.length) {
  const names = VIEWS.map(({ name }) => name);
  for (const file of await readdir(into)) {
    const of = file.replace(/(-phone)?-(light|dark)\.(webp|png)$/, '');
    if (of !== file && (file.endsWith('.png') || !names.includes(of))) await rm(join(into, file));
  }
}
await writeFile(join(into, 'README.md'), gallery(await readdir(into)));
console.log(`${Math.round(total / 1000)} kB`);
if (total > ALL_MOST) wrong.push(`all together take ${total} bytes`);
assert.equal(wrong.length, 0, wrong.join('\n'));
