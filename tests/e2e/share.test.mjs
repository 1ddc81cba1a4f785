// Sharing: links with a time, files where links grow too long, images and recordings; on all three pages.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { openPage, startBrowser, url } from './browser.mjs';
import { finish, linkTime, openRun, openScenario, reach, ready, timePs } from './stage.mjs';

const CLIPBOARD = { context: { permissions: ['clipboard-read', 'clipboard-write'] } };

/** Plays until a time in µs has gone by, and pauses. */
async function playTo(page, us) {
  const toggle = async () => {
    await page.getByTestId('stage-canvas').first().focus();
    await page.keyboard.press('Space');
  };
  await toggle();
  await reach(page, us);
  await toggle();
  await page.locator('[data-testid=play][aria-label=Play]').waitFor();
  // The last frame that was asked for is shown.
  await page.waitForTimeout(300);
}

/** The link that the dialog gives for the time that is shown; the dialog is closed by key again. */
async function linkNow(page) {
  await page.getByTestId('share').click();
  const plain = await page.getByTestId('share-link').inputValue();
  await page.getByTestId('at-now').focus();
  await page.keyboard.press('Space');
  const link = await page.getByTestId('share-link').inputValue();
  assert.ok(link.startsWith(plain), 'the time comes after the scenario');
  await page.keyboard.press('Escape');
  await page.getByTestId('share-dialog').waitFor({ state: 'detached' });
  return link;
}

/** Waits until the run rests at a time in ps. */
async function rests(page, ps) {
  await page.locator(`[data-testid=time][data-ps="${ps}"]`).waitFor({ timeout: 60_000 });
  assert.equal(await page.getByTestId('play').getAttribute('aria-label'), 'Play');
}

test('a link with a time opens paused there, and the run ends as it does', async (t) => {
  const page = await openRun(t, '#preset/link-dies', CLIPBOARD);
  await playTo(page, 20);
  const link = await linkNow(page);
  assert.match(link, /&at=\d+(ps|ns|us|ms)$/);
  const digest = await finish(page);

  const other = await page.context().newPage();
  await other.goto(link);
  await rests(other, linkTime(link));
  assert.equal(await finish(other), digest);
});

test('the link is copied when the dialog opens, and again by its button', async (t) => {
  const page = await openRun(t, '#preset/incast', CLIPBOARD);
  await page.getByTestId('share').click();
  await page.getByTestId('share-status').filter({ hasText: 'Copied' }).waitFor();
  const link = await page.getByTestId('share-link').inputValue();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link);
  assert.ok(await page.getByTestId('at-now').isDisabled(), 'at its start there is no time to open at');
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.getByTestId('copy-link').click();
  await page.getByTestId('share-status').filter({ hasText: 'Copied' }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link);
});

test('a time that is none is named, and one after the end shows the end', async (t) => {
  const page = await openPage(t, '#preset/incast&at=3parsecs');
  await page.getByTestId('notice').filter({ hasText: 'at=3parsecs' }).filter({ hasText: 'at=12.5us' }).waitFor();
  await page.evaluate(() => {
    location.hash = '#preset/incast&at=90s';
  });
  await ready(page);
  await page.getByTestId('notice').filter({ hasText: 'the run ends at' }).waitFor();
  await page.locator('[data-testid=status].good').waitFor({ timeout: 60_000 });
});

test('bookmarks go with the link, if they are wanted', async (t) => {
  const page = await openRun(t, '#preset/link-dies', CLIPBOARD);
  await page.getByTestId('share').click();
  assert.equal(await page.getByTestId('with-bookmarks').count(), 0, 'there are none');
  await page.keyboard.press('Escape');
  await playTo(page, 20);
  const at = await timePs(page);
  await page.getByTestId('set-bookmark').click();
  await page.getByTestId('bookmarks').locator('summary').click();
  const name = page.getByTestId('bookmark').getByRole('textbox');
  await name.fill('The dip, 100 % & more');
  await name.press('Enter');
  await page.getByTestId('share').click();
  const link = await page.getByTestId('share-link').inputValue();
  assert.match(link, /#1\.[\w-]+&marks=\d+(ps|ns|us):The%20dip%2C%20100%20%25%20%26%20more$/);
  await page.getByTestId('share-status').filter({ hasText: 'Copied' }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link);
  await page.getByTestId('with-bookmarks').focus();
  await page.keyboard.press('Space');
  assert.equal(await page.getByTestId('share-link').inputValue(), link.split('&')[0]);

  // Another browser, which has kept nothing.
  const other = await openPage(t, link.slice(link.indexOf('#')));
  await ready(other);
  await other.getByTestId('bookmarks').locator('summary').click();
  assert.equal(await other.getByTestId('bookmark').getByRole('textbox').inputValue(), 'The dip, 100 % & more');
  await other.getByTestId('bookmark').locator('button').first().click();
  await rests(other, at);

  // A frame has them from before it is started, and gives them on.
  const frame = await openPage(t, `?embed=timeline${link.slice(link.indexOf('#'))}`);
  await frame.locator('[data-testid=app][data-asleep=true]').waitFor();
  await frame.getByTestId('start').click();
  await frame.locator('[data-testid=time]:not([data-ps="0"])').waitFor();
  await frame.getByTestId('bookmarks').waitFor();
  assert.equal(await frame.evaluate(() => localStorage.getItem('bookmarks')), null, 'a frame keeps nothing');
  const opened = frame.waitForEvent('popup');
  await frame.getByTestId('open-page').click();
  await (await opened).getByTestId('bookmarks').waitFor();
});

test('a bookmark that is none is named with its place, and one after the end is left out', async (t) => {
  const page = await openPage(t, '#preset/incast&marks=2us:good,3parsecs:bad');
  await page.getByTestId('notice').filter({ hasText: 'bookmark 2 of the link is "3parsecs:bad"' }).waitFor();
  await page.evaluate(() => {
    location.hash = '#preset/incast&marks=2us:good,90s:late';
  });
  await ready(page);
  await page.getByTestId('notice').filter({ hasText: '1 bookmark is after the end of the run' }).waitFor();
  await page.getByTestId('bookmarks').locator('summary').filter({ hasText: '1 bookmark' }).waitFor();
});

/** 400 flows of sizes that have nothing in common: no packing makes them short. */
const LONG = {
  version: 1,
  name: 'Many flows',
  until: '1ms',
  fabric: { planes: 2, t0_per_plane: 8, t1_per_plane: 4, nics_per_t0: 8, nic_link_rate: '100Gbps' },
  traffic: Array.from({ length: 400 }, (_, i) => ({ kind: 'flow', src: i % 64, dst: (i * 7 + 1 + Math.floor(i / 64)) % 64, bytes: 1000 + ((i * 2654435761) % 99991), start: `${(i * 40503) % 65521}ps` })).filter(({ src, dst }) => src !== dst),
};

test('a link that grows too long says so with length and limit, and a file opens the same run', async (t) => {
  const page = await openRun(t);
  await openScenario(page, LONG);
  await page.getByTestId('share').click();
  const { length } = await page.getByTestId('share-link').inputValue();
  assert.ok(length > 2000, `${length} characters`);
  const warning = (await page.getByTestId('share-long').textContent()).replaceAll(/[\s\u202f]/g, '');
  assert.match(warning, new RegExp(`${length}characters.*2000`));
  const download = page.waitForEvent('download');
  await page.getByTestId('save-scenario').click();
  const file = await (await download).path();
  await page.keyboard.press('Escape');
  const digest = await finish(page);
  await page.getByTestId('preset-incast').click();
  await page.getByTestId('file-input').setInputFiles({ name: 'again.json', mimeType: 'application/json', buffer: await readFile(file) });
  await page.getByTestId('scenario-name').filter({ hasText: LONG.name }).waitFor();
  await ready(page);
  assert.equal(await finish(page), digest);
});

/** Width, height and the number of colours of a PNG, as the browser reads it. */
async function look(page, bytes) {
  return page.evaluate(async (data) => {
    const image = await createImageBitmap(new Blob([new Uint8Array(data)], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const pen = canvas.getContext('2d');
    pen.drawImage(image, 0, 0);
    // The title, the middle of the stage, and the legend below it.
    const colours = (top, height) => new Set(new Uint32Array(pen.getImageData(0, top, image.width, height).data.buffer)).size;
    return {
      width: image.width,
      height: image.height,
      title: colours(4, 26),
      stage: colours(Math.round(image.height / 3), Math.round(image.height / 3)),
      legend: colours(image.height - 45, 20),
    };
  }, [...bytes]);
}

for (const painter of ['software', 'webgl']) {
  test(`an image has title, stage and legend, drawn by ${painter}`, async (t) => {
    const page = await openRun(t, `?painter=${painter}#preset/link-dies`, CLIPBOARD);
    assert.equal(await page.getByTestId('stage').getAttribute('data-painter'), painter);
    await playTo(page, 20);
    await page.getByTestId('share').click();
    await page.getByTestId('share-tab-image').focus();
    await page.keyboard.press('Enter');
    await page.locator('[data-testid=share-picture] canvas').waitFor();
    const download = page.waitForEvent('download');
    await page.getByTestId('save-image').click();
    const saved = await download;
    assert.match(saved.suggestedFilename(), /\.png$/);
    await page.getByTestId('image-status').filter({ hasText: 'Saved as' }).waitFor();
    const seen = await look(page, await readFile(await saved.path()));
    const stage = await page.getByTestId('stage').boundingBox();
    assert.ok(seen.width >= stage.width && seen.height > stage.height, JSON.stringify(seen));
    // Smooth letters and lines have many shades of a few colours; an empty field has one.
    assert.ok(seen.title > 10 && seen.stage > 10 && seen.legend > 10, JSON.stringify(seen));
    await page.getByTestId('copy-image').click();
    await page.getByTestId('image-status').filter({ hasText: 'Copied' }).waitFor();
    const types = await page.evaluate(async () => (await navigator.clipboard.read()).flatMap((item) => item.types));
    assert.ok(types.includes('image/png'), types.join());
  });
}

test('a recording is made, can be stopped, and is saved as a film', async (t) => {
  const page = await openRun(t, '#preset/link-dies');
  await page.getByTestId('share').click();
  await page.getByTestId('share-tab-recording').click();
  await page.getByTestId('recording-seconds').fill('30');
  assert.equal(await page.getByTestId('recording-length').textContent(), '30 s');
  await page.getByTestId('record').click();
  await page.getByTestId('recorder').waitFor();
  await page.getByTestId('recorder-time').filter({ hasText: /^[1-9]\d* s of 30 s · [1-9]/ }).waitFor({ timeout: 60_000 });
  assert.ok((await timePs(page)) > 0, 'it plays while it is recorded');
  const download = page.waitForEvent('download');
  await page.getByTestId('stop-recording').click();
  const saved = await download;
  assert.match(saved.suggestedFilename(), /\.(webm|mp4)$/);
  const bytes = await readFile(await saved.path());
  // A WebM file begins with the EBML header's ID (RFC 8794); an MP4 file has the box ftyp first (ISO/IEC 14496-12).
  const isFilm = bytes.readUInt32BE(0) === 0x1a45dfa3 || bytes.toString('latin1', 4, 8) === 'ftyp';
  assert.ok(isFilm && bytes.length > 2000, `${bytes.length} bytes`);
  await page.getByTestId('notice').filter({ hasText: 'The recording was saved' }).waitFor();
  assert.equal(await page.getByTestId('recorder').count(), 0);
});

test('a recording ends by itself', async (t) => {
  const page = await openRun(t, '#preset/host-first-packet');
  await page.getByTestId('share').click();
  await page.getByTestId('share-tab-recording').click();
  await page.getByTestId('recording-seconds').fill('3');
  const download = page.waitForEvent('download', { timeout: 60_000 });
  await page.getByTestId('record').click();
  assert.match((await download).suggestedFilename(), /\.(webm|mp4)$/);
});

test('a browser that cannot record says so', async (t) => {
  const context = await startBrowser(t);
  await context.addInitScript(() => {
    delete globalThis.MediaRecorder;
    delete globalThis.ClipboardItem;
  });
  const page = await context.newPage();
  await page.goto(`${url}#preset/incast`);
  await ready(page);
  await page.getByTestId('share').click();
  await page.getByTestId('share-tab-recording').click();
  await page.getByTestId('no-recording').waitFor();
  await page.getByTestId('share-tab-image').click();
  await page.getByTestId('save-image').waitFor();
  assert.equal(await page.getByTestId('copy-image').count(), 0);
});

test('a host is shared at its time, costs included', async (t) => {
  const page = await openRun(t, '#preset/host-first-packet');
  await playTo(page, 5);
  const link = await linkNow(page);
  const other = await page.context().newPage();
  await other.goto(link);
  await rests(other, linkTime(link));
});

test('runs side by side are shared at their time, and as one file', async (t) => {
  const page = await openRun(t, '#c=preset/incast,link-dies');
  await playTo(page, 10);
  const link = await linkNow(page);
  const other = await page.context().newPage();
  await other.goto(link);
  await rests(other, linkTime(link));

  await page.getByTestId('share').click();
  const download = page.waitForEvent('download');
  await page.getByTestId('save-scenario').click();
  const buffer = await readFile(await (await download).path());
  assert.equal(JSON.parse(buffer).length, 2);
  await page.goto(`${url}#preset/lossy-link`);
  await page.locator('[data-testid=scenario-name]').filter({ hasText: 'loses one packet' }).waitFor();
  await page.getByTestId('file-input').setInputFiles({ name: 'both.json', mimeType: 'application/json', buffer });
  await page.locator('[data-testid=app][data-runs="2"][data-phase=ready]').waitFor({ timeout: 60_000 });
});
