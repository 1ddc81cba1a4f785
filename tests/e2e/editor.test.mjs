// The editor: forms and JSON, each following the other; undo and redo; what the browser keeps; files.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { openPage, startBrowser, url } from './browser.mjs';
import { press, ready } from './stage.mjs';

/** Opens the page and, by its key, the editor. */
async function openEditor(t, options) {
  const page = await openPage(t, '', options);
  await ready(page);
  await page.keyboard.press('Shift+E');
  await page.getByTestId('editor').waitFor();
  return page;
}

const text = (page) => page.getByTestId('editor-text').inputValue();

/** Waits until the text says something. */
async function says(page, pattern) {
  await page.waitForFunction(
    ([source]) => new RegExp(source).test(document.querySelector('[data-testid=editor-text]').value),
    [pattern.source],
  );
}

/** Types another text into the editor, in the place of what matches. */
async function retype(page, from, to) {
  const now = await text(page);
  assert.match(now, from);
  await page.getByTestId('editor-text').fill(now.replace(from, to));
}

test('a form changes the text and the run; the rest of the text stays as it was', async (t) => {
  const page = await openEditor(t);
  const before = await text(page);
  const seed = page.getByTestId('form-seed');
  await seed.fill('77');
  await seed.press('Enter');
  await says(page, /"seed": 77/);
  await ready(page);
  const after = await text(page);
  assert.equal(after.replace(/\s*"seed": 77,?/, '').replace(/\s/g, ''), before.replace(/\s*"seed": \d+,?/, '').replace(/\s/g, ''));
  await page.getByTestId('editor-close').click();
  assert.equal(await page.getByTestId('seed').inputValue(), '77');
});

test('units are read as people write them, in a form and in the text', async (t) => {
  const page = await openEditor(t);
  const rate = page.getByTestId('form-fabric.nic_link_rate');
  await rate.fill('400 Gb/s');
  await rate.press('Enter');
  await says(page, /"nic_link_rate": "400Gbps"/);
  await retype(page, /"nic_link_rate": "400Gbps"/, '"nic_link_rate": "0.2T"');
  await page.getByTestId('editor-text').press('Control+Enter');
  await page.waitForFunction(() => document.querySelector('[data-testid="form-fabric.nic_link_rate"]').value === '200 Gb/s');
  await rate.fill('fast');
  await rate.press('Enter');
  await page.getByTestId('field-problem').filter({ hasText: '"fast" is no rate' }).filter({ hasText: '"100G"' }).waitFor();
  assert.equal(await rate.inputValue(), 'fast', 'what was typed stays where it can be mended');
  assert.match(await text(page), /"0.2T"/, 'and the scenario is as it was');
});

test('a text with problems names line and path, marks the line, and leaves the run alone', async (t) => {
  const page = await openEditor(t);
  const good = await text(page);
  await retype(page, /"until": "[^"]*"/, '"until": "soon"');
  const problem = page.getByTestId('text-problems').getByRole('listitem').first();
  await problem.waitFor();
  const line = good.slice(0, good.indexOf('"until"')).split('\n').length;
  assert.match(await problem.textContent(), new RegExp(`line ${line}, .*until.*"soon" is no time`));
  assert.equal(await page.locator('.paint .wrong').count(), 1);
  assert.match(await page.getByTestId('editor-status').textContent(), /1 problem/);
  await problem.getByRole('button').click();
  const selected = await page.evaluate(() => {
    const area = document.activeElement;
    return area.value.slice(area.selectionStart, area.selectionEnd);
  });
  assert.equal(selected, '"until": "soon"');
  assert.equal(await page.getByTestId('app').getAttribute('data-phase'), 'ready');
  // Typed over what is selected, by the keyboard alone.
  await page.keyboard.type('"until": "300 µs"');
  await page.keyboard.press('Control+Enter');
  await page.getByTestId('editor-status').filter({ hasText: 'Valid' }).waitFor();
  assert.equal(await page.getByTestId('form-until').inputValue(), '300 µs');
  await retype(page, /"version": 1,/, '"version": 1');
  await page.getByTestId('text-problems').getByText(/line \d+, column \d+/).waitFor();
});

test('traffic and faults are added, changed, moved and removed', async (t) => {
  const page = await openEditor(t);
  const traffic = page.getByTestId('entries-traffic').getByRole('listitem');
  const there = await page.locator('[data-testid^="entry-traffic-"]').count();
  await page.getByTestId('add-traffic').selectOption('incast');
  await page.getByTestId(`entry-traffic-${there}`).waitFor();
  await says(page, /"kind": "incast"/);
  const bytes = page.getByTestId(`form-traffic[${there}].bytes`);
  await bytes.fill('4K');
  await bytes.press('Enter');
  await says(page, /"4KiB"/);
  await page.getByRole('button', { name: `Move up traffic ${there + 1}` }).click();
  await page.waitForFunction((index) => document.querySelector(`[data-testid="kind-traffic-${index}"]`).value === 'incast', there - 1);
  await page.getByRole('button', { name: `Duplicate traffic ${there}` }).click();
  await page.getByTestId(`entry-traffic-${there + 1}`).waitFor();
  await page.getByRole('button', { name: `Remove traffic ${there}`, exact: true }).click();
  await page.getByTestId(`entry-traffic-${there + 1}`).waitFor({ state: 'detached' });
  assert.equal(await traffic.count() > there, true);
  const faults = await page.locator('[data-testid^="entry-faults-"]').count();
  await page.getByTestId('add-faults').selectOption('nic_flap');
  const at = page.getByTestId(`form-faults[${faults}].at`);
  await at.fill('12 µs');
  await at.press('Enter');
  await says(page, /"at": "12us"/);
  await page.getByTestId(`kind-faults-${faults}`).selectOption('switch_reboot');
  await says(page, /"kind": "switch_reboot"/);
  const place = page.getByTestId(`form-faults[${faults}].switch`);
  await place.fill('p9/t9.9');
  await place.press('Enter');
  await page.getByTestId('field-problem').or(page.getByTestId('entry-problem')).first().waitFor();
});

test('undo and redo go over presets, forms, text and faults by hand', async (t) => {
  const page = await openPage(t);
  await ready(page);
  const first = await page.getByTestId('scenario-name').textContent();
  await page.locator('[data-testid^=preset-]').nth(1).click();
  await page.waitForFunction((name) => document.querySelector('[data-testid=scenario-name]').textContent !== name, first);
  const second = await page.getByTestId('scenario-name').textContent();
  await page.keyboard.press('Shift+E');
  const name = page.getByTestId('form-name');
  await name.fill('Mine');
  await name.press('Enter');
  await page.getByTestId('scenario-name').filter({ hasText: 'Mine' }).waitFor();
  await retype(page, /"Mine"/, '"Mine too"');
  await page.getByTestId('scenario-name').filter({ hasText: 'Mine too' }).waitFor();
  await page.getByTestId('editor-text').press('Control+z');
  await says(page, /"Mine"/);
  await page.getByTestId('undo').click();
  await page.getByTestId('scenario-name').filter({ hasText: second }).waitFor();
  await page.getByTestId('undo').click();
  await page.getByTestId('scenario-name').filter({ hasText: first }).waitFor();
  assert.equal(await page.getByTestId('undo').isDisabled(), true);
  await page.keyboard.press('Escape');
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('Control+Shift+z');
  await page.getByTestId('scenario-name').filter({ hasText: 'Mine too' }).waitFor();
});

test('what was worked on is offered after a reload, and a text keeps its form', async (t) => {
  const page = await openEditor(t);
  assert.equal(await page.getByTestId('offer').count(), 0, 'nothing to offer yet');
  await retype(page, /"name": "[^"]*"/, '"name":      "Kept"');
  await page.getByTestId('scenario-name').filter({ hasText: 'Kept' }).waitFor();
  await page.goto(url);
  await ready(page);
  await page.getByTestId('offer').filter({ hasText: 'Kept' }).waitFor();
  assert.notEqual(await page.getByTestId('scenario-name').textContent(), 'Kept', 'offered, not forced');
  await page.getByTestId('offer-restore').click();
  await page.getByTestId('scenario-name').filter({ hasText: 'Kept' }).waitFor();
  await page.getByTestId('edit').click();
  await says(page, /"name": {6}"Kept"/);
});

test('what is offered hides nothing, and goes when the run is played', async (t) => {
  const page = await openEditor(t);
  await retype(page, /"name": "[^"]*"/, '"name": "Kept"');
  await page.getByTestId('scenario-name').filter({ hasText: 'Kept' }).waitFor();
  await page.goto(url);
  await ready(page);
  const offer = await page.getByTestId('offer').boundingBox();
  const centre = await page.locator('.centre').boundingBox();
  assert.ok(centre.y + centre.height <= offer.y + 1, 'below the page');
  await press(page, 'Space');
  await page.getByTestId('offer').waitFor({ state: 'detached' });
});

test('where the browser stores nothing, the page says so and goes on', async (t) => {
  const context = await startBrowser(t);
  await context.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  const page = await context.newPage();
  await page.goto(url);
  await ready(page);
  await page.getByTestId('edit').click();
  await page.getByTestId('form-seed').fill('9');
  await page.getByTestId('form-seed').press('Enter');
  await page.getByTestId('notice').filter({ hasText: 'not kept in this browser' }).waitFor();
  await says(page, /"seed": 9/);
  await ready(page);
});

test('a scenario is saved as it was written, and opens again', async (t) => {
  const page = await openEditor(t);
  await retype(page, /"name": "[^"]*"/, '"name":   "To a file"');
  await page.getByTestId('scenario-name').filter({ hasText: 'To a file' }).waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('editor-save').click()]);
  assert.equal(download.suggestedFilename(), 'to-a-file.json');
  const saved = await readFile(await download.path(), 'utf8');
  assert.match(saved, /"name": {3}"To a file"/);
  await page.getByTestId('editor-open').setInputFiles({
    name: 'again.json',
    mimeType: 'application/json',
    buffer: Buffer.from(saved.replace('To a file', 'From a file')),
  });
  await page.getByTestId('scenario-name').filter({ hasText: 'From a file' }).waitFor();
  await says(page, /"name": {3}"From a file"/);
});

test('on a phone the halves take turns', async (t) => {
  const page = await openPage(t, '', { context: { viewport: { width: 360, height: 740 } } });
  await ready(page);
  await page.getByTestId('edit').click();
  await page.getByTestId('form-seed').waitFor();
  assert.equal(await page.getByTestId('editor-text').isVisible(), false);
  await page.getByTestId('editor-half-json').click();
  assert.equal(await page.getByTestId('form-seed').isVisible(), false);
  await page.getByTestId('editor-text').waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  assert.equal(wide, false, 'nothing is wider than the window');
});

test('a long name is seen whole, and stays one line', async (t) => {
  const page = await openEditor(t);
  const name = page.getByTestId('form-name');
  const long = 'RoCE: a T1 dies and routing converges, with 64 EVs, transport.evs 64, and one setting more than before';
  await name.fill(`${long}\nand its end`);
  await name.press('Enter');
  await page.getByTestId('scenario-name').filter({ hasText: `${long} and its end` }).waitFor();
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    const hidden = await name.evaluate((field) => [field.scrollWidth - field.clientWidth, field.scrollHeight - field.clientHeight]);
    assert.ok(hidden.every((by) => by <= 1), `${width}: ${hidden}`);
  }
  await name.press('Control+z');
  await page.getByTestId('scenario-name').filter({ hasNotText: long }).waitFor({ state: 'attached' });
});
