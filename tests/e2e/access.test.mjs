// axe-core finds nothing to complain about on any view, in both themes, on a wide window and on a phone; Tab goes through the page with a
// focus that can be seen; who asks for less motion gets none.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { openPage } from './browser.mjs';
import { openRun, press } from './stage.mjs';

const AXE = await readFile(new URL('./node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
const PHONE = { context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } };

/** Complaints about what is there now, in both themes. */
async function complaints(page, view) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const found = [];
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Colours fade from one theme to the other.
    await page.waitForTimeout(300);
    const violations = await page.evaluate(async () => {
      const { violations } = await axe.run(document, { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } });
      return violations.map(({ id, help, nodes }) => `${id} (${help}): ${nodes.slice(0, 4).map((node) => `${node.target} ${node.any[0]?.message ?? ''}`).join('; ')}`);
    });
    found.push(...violations.map((violation) => `${view}, ${colorScheme}: ${violation}`));
  }
  return found;
}

/** Clicks on each, by the name for tests, and asks about what is there then. */
async function each(page, names, prefix) {
  const found = [];
  for (const name of names) {
    await page.getByTestId(name).click();
    found.push(...(await complaints(page, `${prefix} ${name}`)));
  }
  return found;
}

test('the fabric page, its tabs and its dialogs', async (t) => {
  const page = await openRun(t, '#preset/link-dies');
  await press(page, 'e');
  await page.locator('[data-testid=status].good').waitFor({ timeout: 120_000 });
  const found = await complaints(page, 'fabric');
  found.push(...(await each(page, ['tab-events', 'tab-charts', 'tab-flows', 'tab-sweep', 'tab-timeline'], 'fabric')));
  await page.getByTestId('add-fault').click();
  found.push(...(await complaints(page, 'form of a new fault')));
  await page.keyboard.press('Escape');
  await press(page, '?');
  found.push(...(await complaints(page, 'help')));
  await page.keyboard.press('Escape');
  await page.getByTestId('share').click();
  found.push(...(await complaints(page, 'share dialog')));
  found.push(...(await each(page, ['share-tab-embed', 'share-tab-image', 'share-tab-recording'], 'share dialog')));
  await page.keyboard.press('Escape');
  await press(page, 'Shift+E');
  await page.getByTestId('editor').waitFor();
  found.push(...(await complaints(page, 'editor')));
  assert.deepEqual(found, []);
});

test('the inspector: a number explained, a packet, one of its fields, its bytes bit by bit', async (t) => {
  const page = await openRun(t, '#preset/link-dies');
  await page.getByTestId('explain').first().click();
  const found = await complaints(page, 'a number');
  await press(page, 'Space');
  await page.locator('[data-testid=play][aria-label=Pause]').waitFor();
  await page.waitForFunction(() => Number(document.querySelector('[data-testid=time]').dataset.ps) >= 5e6);
  await press(page, 'n');
  await page.locator('[data-header=BTH] [data-field=psn]').click();
  found.push(...(await complaints(page, 'a field')));
  await page.getByTestId('bytes-bits').click();
  found.push(...(await complaints(page, 'bits')));
  assert.deepEqual(found, []);
});

test('a paper experiment and RoCE', async (t) => {
  const page = await openRun(t, '#preset/paper-fig-20');
  await page.getByTestId('tab-paper').click();
  const found = await complaints(page, 'paper');
  await page.goto(new URL('#preset/pfc-deadlock', page.url()).href);
  await press(page, 'e');
  await page.getByTestId('deadlock').first().waitFor({ timeout: 120_000 });
  found.push(...(await complaints(page, 'deadlock')));
  assert.deepEqual(found, []);
});

test('the host page and its tabs', async (t) => {
  const page = await openRun(t, '#preset/host-first-packet');
  const tabs = await page.locator('[data-testid^=tab-]').evaluateAll((tabs) => tabs.map((tab) => tab.dataset.testid));
  const found = await each(page, tabs, 'host');
  assert.deepEqual(found, []);
});

test('the card of an import, done and refused', async (t) => {
  const page = await openRun(t, '#preset/host-first-packet');
  const rule = { name: 'https', priority: 200, direction: 'Inbound', access: 'Allow', protocol: 'Tcp', sourceAddressPrefix: '*', sourcePortRange: '*', destinationAddressPrefix: '10.1.0.4', destinationPortRange: '443' };
  const found = [];
  for (const [stage, access] of [['done', 'Allow'], ['error', 'Perhaps']]) {
    await page.getByTestId('file-input').setInputFiles({
      name: 'nsg.json', mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify({ name: 'web', securityRules: [{ ...rule, access }] })),
    });
    await page.locator(`[data-testid=import-card][data-stage=${stage}]`).waitFor();
    if (stage === 'done') await page.getByTestId('import-open').click();
    found.push(...(await complaints(page, `import ${stage}`)));
  }
  assert.deepEqual(found, []);
});

test('runs side by side', async (t) => {
  const page = await openRun(t, '#preset/roce-t1-dies');
  await page.getByTestId('compare').click();
  const found = await complaints(page, 'compare dialog');
  await page.getByTestId('counterpart-mrc').click();
  await page.locator('[data-testid=app][data-runs="2"][data-phase=ready]').waitFor({ timeout: 120_000 });
  found.push(...(await complaints(page, 'compare')));
  assert.deepEqual(found, []);
});

test('a story about a host', async (t) => {
  const page = await openRun(t, '#story/syn-flood/3');
  await page.getByTestId('story').waitFor();
  assert.deepEqual(await complaints(page, 'host story'), []);
});

test('a phone', async (t) => {
  const page = await openRun(t, '#preset/link-dies', PHONE);
  const panels = await page.locator('[data-testid^=panel-]').evaluateAll((tabs) => tabs.map((tab) => tab.dataset.testid));
  const found = await each(page, panels, 'phone');
  assert.deepEqual(found, []);
});

test('a frame in another page, before and after it is clicked', async (t) => {
  const found = [];
  for (const [of, link] of [['fabric', '#preset/link-dies'], ['host', '#preset/host-first-packet']]) {
    const page = await openPage(t, `?embed=timeline${link}`);
    await page.getByTestId('start').waitFor();
    found.push(...(await complaints(page, `${of} frame`)));
    await page.getByTestId('start').click();
    await page.locator('.embed-bar [data-testid=time]:not([data-ps="0"])').waitFor();
    await page.locator('.embed-bar [data-testid=play]').click();
    found.push(...(await complaints(page, `${of} frame that plays`)));
  }
  assert.deepEqual(found, []);
});

test('a simulation that has stopped', async (t) => {
  const page = await openPage(t, 'manifest.webmanifest', { expected: /Failed to load|500/ });
  await page.route('**/flowglass-worker_loader.js', (route) => route.fulfill({ status: 500, body: '' }));
  await page.goto(new URL('/#preset/incast', page.url()).href);
  await page.getByTestId('broken').waitFor({ timeout: 60_000 });
  assert.deepEqual(await complaints(page, 'stopped'), []);
});

test('what is wrong with a link is a notice', async (t) => {
  const page = await openPage(t, '#nonsense');
  await page.getByTestId('notice').first().waitFor();
  assert.deepEqual(await complaints(page, 'notice'), []);
});

test('Tab goes once through the page, sees where it is, and comes around', async (t) => {
  const page = await openRun(t, '#preset/link-dies');
  await press(page, 'e');
  await page.locator('[data-testid=status].good').waitFor({ timeout: 120_000 });
  const here = () => page.evaluate(() => {
    const one = document.activeElement;
    if (one === document.body) return null;
    // A field may have its outline around what it stands in.
    const around = [one, ...['label', '.drop', '.filter-field'].map((around) => one.closest(around))].filter(Boolean);
    const isSeen = around.some((element) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      const { width, height } = element.getBoundingClientRect();
      return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1 && width > 1 && height > 1;
    });
    window.tabbed ??= [];
    if (!window.tabbed.includes(one)) window.tabbed.push(one);
    return { place: window.tabbed.indexOf(one), name: `${one.tagName} ${one.dataset.testid ?? one.className} ${one.textContent.slice(0, 30)}`, isSeen };
  });
  // First comes the way past what comes before the stage, and nothing is out of the order in which it is read.
  const start = await page.evaluate(() => [document.querySelector('button, a[href], input, select, textarea, summary, [tabindex]').dataset.testid, document.querySelectorAll('[tabindex]:not([tabindex="0"], [tabindex="-1"])').length]);
  assert.deepEqual(start, ['skip', 0]);
  await page.getByTestId('skip').focus();
  const first = await here();
  const hidden = [];
  let [count, at] = [1, first];
  for (; at && (at.place > 0 || count === 1); count += 1) {
    if (!at.isSeen) hidden.push(at.name);
    assert.ok(count < 400, `no end: at ${at.name}`);
    await page.keyboard.press('Tab');
    at = await here();
    if (at) assert.ok(at.place === 0 || at.place === count, `Tab is caught at ${at.name}`);
  }
  assert.ok(count > 40, `only ${count} elements`);
  assert.deepEqual(hidden, []);
  // And the way past does what it says.
  await page.getByTestId('skip').focus();
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.dataset.testid), 'stage-canvas');
});

test('less motion: nothing is animated, and a list of keys closes without a trace', async (t) => {
  const page = await openRun(t, '#preset/link-dies', { context: { reducedMotion: 'reduce' } });
  const animations = () => page.evaluate(() => document.getAnimations().filter((one) => one.effect.getComputedTiming().duration > 0).length);
  for (const key of ['?', 'Escape', 'q', '+', 'Shift+E', 'Escape']) {
    await press(page, key).catch(() => page.keyboard.press(key));
    assert.equal(await animations(), 0, key);
  }
});
