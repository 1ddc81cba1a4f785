// Large fabrics: groups open where one looks, faults and loads can be found at each level, and both ways of drawing show
// the same.

import assert from 'node:assert/strict';
import test from 'node:test';
import { find, openRun, place, press, reach, ready } from './stage.mjs';

/** Two of the eight planes of the largest published fabric: 131,072 NICs. A few flows, so that it is built in seconds. */
const LARGEST = {
  version: 1,
  name: 'Large',
  until: '1ms',
  fabric: { planes: 2, t0_per_plane: 512, t1_per_plane: 256, nics_per_t0: 256, nic_link_rate: '100Gbps' },
  transport: { evs: 32 },
  traffic: [{ kind: 'incast', dst: 60_000, senders: 200, bytes: '2MB' }],
};

const MEDIUM = {
  version: 1,
  name: 'Medium',
  until: '1ms',
  fabric: { planes: 4, t0_per_plane: 32, t1_per_plane: 32, nics_per_t0: 32, nic_link_rate: '100Gbps' },
  traffic: [{ kind: 'permutation', shift: 32, bytes: '1MB' }],
};

async function openScenario(t, scenario, path = '') {
  const page = await openRun(t, path);
  await page.getByTestId('file-input').setInputFiles({
    name: 'scenario.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(scenario)),
  });
  await page.getByTestId('scenario-name').filter({ hasText: scenario.name }).waitFor();
  await page.locator('[data-testid=app][data-phase=ready]').waitFor({ timeout: 120_000 });
  return page;
}

/** Lets the run begin, so that nothing covers the middle of the stage. */
async function start(page) {
  await press(page, 'Space');
  await reach(page, 0.1);
  await press(page, 'Space');
  await page.getByTestId('start').waitFor({ state: 'detached' });
}

/** Groups of each plane: T1s, T0s, NICs. */
async function groups(page) {
  return (await page.getByTestId('stage').getAttribute('data-groups')).split(' ').map(Number);
}

/** Magnifies around a point until the groups are as wanted; at most so many turns of the wheel. */
async function zoomUntil(page, { x, y }, wanted, turns = 60) {
  await page.mouse.move(x, y);
  for (let turn = 0; turn < turns; turn++) {
    await page.mouse.wheel(0, -250);
    // The frame after the next one knows the new camera.
    await page.waitForTimeout(60);
    if (wanted(await groups(page))) return;
  }
  assert.fail(`still ${await groups(page)} groups`);
}

test('a group opens into racks, racks into NICs, and links are found at each level', async (t) => {
  const page = await openScenario(t, LARGEST);
  await page.locator('[data-testid=stage][data-groups="8 16 16"]').waitFor();
  await start(page);
  const links = async () => Number(await page.getByTestId('stage').getAttribute('data-links'));
  assert.equal(await links(), 2 * 2 * (8 * 16 + 16));

  await find(page, 'NIC 60000');
  await page.getByTestId('subject').filter({ hasText: '60000' }).waitFor();
  const nic = await place(page);
  await zoomUntil(page, nic, ([, t0s]) => t0s === 512);
  assert.ok((await links()) <= 100_000);
  // A group's middle is not its member's: finding it again brings it back on the stage.
  await find(page, 'NIC 60000');
  await zoomUntil(page, await place(page), ([t1s, , nics]) => t1s === 256 && nics === 512 * 256);
  await find(page, 'NIC 60000');
  await page.getByTestId('grouped').waitFor({ state: 'detached' });
  assert.ok((await links()) <= 100_000);

  const { x, y } = await place(page);
  await press(page, 'Escape');
  await page.getByTestId('nothing-selected').waitFor();
  await page.mouse.click(x, y);
  await page.getByTestId('subject').filter({ hasText: /^60000$/ }).waitFor();

  await find(page, 'p0/t0.234');
  await page.getByTestId('subject').filter({ hasText: 'p0/t0.234' }).waitFor();
  const t0 = await place(page);
  await page.getByTestId('tool-break').click();
  await page.mouse.click(t0.x, t0.y);
  await page.getByTestId('fault').filter({ hasText: 'p0/t0.234 dead' }).waitFor();
  await press(page, '0');
  await page.locator('[data-testid=stage][data-groups="8 16 16"]').waitFor();
});

test('a group that was clicked stays selected when it opens', async (t) => {
  const page = await openScenario(t, MEDIUM);
  await start(page);
  await find(page, 'p1/t0.9');
  await page.getByTestId('subject').filter({ hasText: 'p1/t0.9' }).waitFor();
  const { x, y } = await place(page);
  await page.mouse.click(x, y);
  const subject = page.getByTestId('subject').filter({ hasText: 'p1: T0 8–9' });
  await subject.waitFor();
  await zoomUntil(page, { x, y }, ([, t0s]) => t0s === 32);
  await subject.waitFor();
  const box = await page.getByTestId('locator').boundingBox();
  await find(page, 'p1/t0.9');
  await page.getByTestId('subject').filter({ hasText: /^p1\/t0\.9$/ }).waitFor();
  const one = await page.getByTestId('locator').boundingBox();
  assert.ok(one.x >= box.x - 1 && one.x + one.width <= box.x + box.width + 1, 'the frame holds both of its T0s');
  assert.ok(one.width < box.width * 0.7);
});

test('zooming does not wait for the simulation', async (t) => {
  const page = await openScenario(t, LARGEST);
  await press(page, 'Space');
  await find(page, 'p0/t1.0');
  await page.getByTestId('subject').filter({ hasText: 'p0/t1.0' }).waitFor();
  const { x, y } = await place(page);
  await page.mouse.move(x, y);
  const drawn = async () => Number(await page.getByTestId('stage').getAttribute('data-drawn'));
  const before = await drawn();
  const width = (await page.getByTestId('locator').boundingBox()).width;
  await page.mouse.wheel(0, -300);
  // The locator moves with the camera, whether or not the worker has answered.
  await page.waitForFunction((width) => document.querySelector('[data-testid=locator]').offsetWidth > width, width);
  await page.waitForFunction(
    (before) => Number(document.querySelector('[data-testid=stage]').dataset.drawn) > before,
    before,
  );
});

test('with WebGL and without, the stage looks the same', async (t) => {
  const pictures = {};
  for (const painter of ['webgl', 'software']) {
    const page = await openRun(t, `?painter=${painter}#preset/link-dies`);
    const stage = page.getByTestId('stage');
    if ((await stage.getAttribute('data-painter')) !== painter) return t.skip('this browser has no WebGL');
    // The same events in both.
    for (let step = 0; step < 150; step++) await press(page, '.');
    await page.waitForTimeout(1000);
    pictures[painter] = (await stage.screenshot()).toString('base64');
  }
  const page = await openRun(t);
  const share = await page.evaluate(async ([a, b]) => {
    const pixels = async (data) => {
      // Not by fetch or an <img>, which the page's policy may forbid.
      const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height).data;
    };
    const [x, y] = await Promise.all([pixels(a), pixels(b)]);
    let different = 0;
    for (let i = 0; i < x.length; i += 4) {
      different += Math.max(...[0, 1, 2].map((c) => Math.abs(x[i + c] - y[i + c]))) > 48;
    }
    return different / (x.length / 4);
  }, [pictures.webgl, pictures.software]);
  assert.ok(share < 0.004, `${(share * 100).toFixed(2)} % of the pixels differ visibly`);
});

test('a lost graphics processor is done without, and used again when it is back', async (t) => {
  const page = await openRun(t, '?painter=webgl');
  const stage = page.getByTestId('stage');
  if ((await stage.getAttribute('data-painter')) !== 'webgl') return t.skip('this browser has no WebGL');
  await page.evaluate(() => {
    const gl = document.querySelector('[data-testid=stage] canvas').getContext('webgl2');
    window.loss = gl.getExtension('WEBGL_lose_context');
    window.loss.loseContext();
  });
  await page.locator('[data-testid=stage][data-painter=software]').waitFor();
  await press(page, 'Space');
  await reach(page, 1);
  await page.evaluate(() => window.loss.restoreContext());
  await page.locator('[data-testid=stage][data-painter=webgl]').waitFor();
  await ready(page);
});
