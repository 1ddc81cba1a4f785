// From a small phone to a 4K screen no text is cut off without a sign, lies upon another, or makes the page scroll sideways.

import assert from 'node:assert/strict';
import test from 'node:test';
import { openRun, press, ready } from './stage.mjs';

/** Widths and heights of windows, in CSS pixels. */
const WINDOWS = [[360, 740], [390, 844], [768, 1024], [1440, 900], [3840, 2160]];

/** What does not fit, as sentences; run in the page. */
function misfits() {
  const found = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth + 1) found.push(`the page is ${root.scrollWidth} px wide in a window of ${root.clientWidth}`);
  const dialog = document.querySelector('dialog[open]');
  const walker = document.createTreeWalker(dialog ?? document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  const name = (element) => {
    const part = (one) => one.tagName.toLowerCase() + (one.dataset?.testid ? `[${one.dataset.testid}]` : one.classList.length ? `.${[...one.classList].join('.')}` : '');
    return `${element.parentElement ? part(element.parentElement) : ''} > ${part(element)} "${element.textContent.trim().slice(0, 40)}"`;
  };
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.textContent.trim()) continue;
    const element = node.parentElement;
    if (element.closest('.sr, [hidden], [aria-hidden=true] svg, script, option, textarea, .code')) continue;
    if (!element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter(({ width, height }) => width > 0.5 && height > 0.5);
    if (!rects.length) continue;
    // What of it its ancestors let through. Those that scroll can be scrolled; those that cut, cut.
    let inSight = rects.map(({ left, right, top, bottom }) => ({ left, right, top, bottom }));
    let [cut, isClipped, ellipsis] = [false, false, false];
    for (let one = element; one && inSight.length; one = one.parentElement) {
      const style = getComputedStyle(one);
      if (style.textOverflow === 'ellipsis' && style.overflowX !== 'visible') ellipsis = true;
      if (style.clipPath !== 'none') isClipped = true;
      if (style.overflowX !== 'visible' || style.overflowY !== 'visible') {
        const box = one.getBoundingClientRect();
        const cuts = ['hidden', 'clip'].includes(style.overflowX) && !ellipsis;
        if (cuts && inSight.some(({ left, right }) => right > box.right + 1.5 && left < box.right)) cut = true;
        inSight = inSight
          .map(({ left, right, top, bottom }) => ({ left: Math.max(left, box.left), right: Math.min(right, box.right), top: Math.max(top, box.top), bottom: Math.min(bottom, box.bottom) }))
          .filter(({ left, right, top, bottom }) => right - left > 1 && bottom - top > 1);
      }
      if (style.position === 'fixed') break;
    }
    if (isClipped || !inSight.length) continue;
    if (cut) found.push(`cut off: ${name(element)}`);
    // A popup or a notice lies upon what is below by intent.
    let layer = element.closest('dialog, .notices, .break-menu, .tip, .tl-pop > :not(summary), .veil, .start, [popover]');
    // So does what stays while the rest is scrolled beneath it.
    for (let one = element; one && !layer; one = one.parentElement) if (getComputedStyle(one).position === 'sticky') layer = one;
    texts.push({ element, rects: inSight, layer });
  }
  for (const [at, one] of texts.entries()) {
    for (const other of texts.slice(at + 1)) {
      if (one.layer !== other.layer || one.element === other.element || one.element.contains(other.element) || other.element.contains(one.element)) continue;
      const upon = one.rects.some((a) => other.rects.some((b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 3 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4));
      if (upon) found.push(`one upon another: ${name(one.element)} and ${name(other.element)}`);
    }
  }
  return [...new Set(found)].slice(0, 12);
}

/** What does not fit in the view that is open, in each window. */
async function inAll(page, view) {
  const found = [];
  for (const [width, height] of WINDOWS) {
    await page.setViewportSize({ width, height });
    await page.waitForTimeout(250);
    for (const misfit of await page.evaluate(misfits)) found.push(`${view} at ${width}: ${misfit}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.waitForTimeout(150);
  return found;
}

/** The same for each tab of a page, in its dock where it has one and among the panels of a narrow window. */
async function inTabs(page, view) {
  const found = [];
  const names = await page.locator('[data-testid^=panel-]').evaluateAll((tabs) => tabs.map((tab) => tab.dataset.testid.slice('panel-'.length)));
  for (const name of names) {
    // The tabs of a narrow window open what the dock of a wide one shows.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByTestId(`panel-${name}`).click();
    found.push(...(await inAll(page, `${view}, ${name}`)));
  }
  return found;
}

test('the fabric page fits', async (t) => {
  const page = await openRun(t, '#preset/link-dies');
  await press(page, 'e');
  await page.locator('[data-testid=status].good').waitFor({ timeout: 120_000 });
  const found = await inTabs(page, 'fabric');
  await page.getByTestId('tab-events').click();
  await page.getByTestId('events-all').click();
  await page.getByTestId('event-row').first().waitFor();
  found.push(...(await inAll(page, 'all events')));
  for (const [view, open] of [['keys', () => press(page, '?')], ['share', () => page.getByTestId('share').click()]]) {
    await open();
    await page.locator('dialog[open]').waitFor();
    found.push(...(await inAll(page, view)));
    await page.keyboard.press('Escape');
  }
  await press(page, 'Shift+E');
  await page.getByTestId('editor').waitFor();
  found.push(...(await inAll(page, 'editor')));
  assert.deepEqual(found, []);
});

test('what is selected fits', async (t) => {
  const page = await openRun(t, '#preset/link-dies');
  await page.getByTestId('speed').fill('14');
  await press(page, 'Space');
  await page.waitForFunction(() => Number(document.querySelector('[data-testid=time]').dataset.ps) > 120e6, undefined, { timeout: 60_000 });
  await press(page, 'Space');
  const found = [];
  for (const key of ['l', 's', 'i', 'q', 'n']) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await press(page, key);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByTestId('panel-inspect').click();
    found.push(...(await inAll(page, `inspector, ${await page.getByTestId('subject').first().textContent()}`)));
  }
  assert.deepEqual(found, []);
});

test('jobs, a paper experiment and RoCE fit', async (t) => {
  const page = await openRun(t, '#preset/paper-fig-20');
  const found = await inTabs(page, 'paper');
  await page.goto(new URL('#preset/pfc-deadlock', page.url()).href);
  await ready(page);
  await press(page, 'e');
  await page.getByTestId('deadlock').first().waitFor({ timeout: 120_000 });
  found.push(...(await inAll(page, 'deadlock')));
  assert.deepEqual(found, []);
});

test('the host page fits', async (t) => {
  const page = await openRun(t, '#preset/host-first-packet');
  await press(page, 'e');
  const found = await inTabs(page, 'host');
  assert.deepEqual(found, []);
});

test('runs side by side fit', async (t) => {
  const page = await openRun(t, '#preset/roce-t1-dies');
  await page.getByTestId('compare').click();
  const found = await inAll(page, 'compare dialog');
  await page.getByTestId('counterpart-mrc').click();
  await page.locator('[data-testid=app][data-runs="2"][data-phase=ready]').waitFor({ timeout: 120_000 });
  found.push(...(await inAll(page, 'compare')));
  assert.deepEqual(found, []);
});

/** Whether the whole page can be got to and the stage is seen, as sentences; run in the page. */
function unreachable() {
  const found = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) found.push(`the page is ${root.scrollWidth} px wide in a window of ${root.clientWidth}`);
  const canvas = document.querySelector('[data-testid=stage-canvas]');
  if (canvas.clientHeight < 160) found.push(`the stage is ${canvas.clientHeight} px high`);
  for (const id of ['play', 'seed', 'help']) {
    const button = document.querySelector(`[data-testid=${id}]`);
    button.scrollIntoView({ block: 'center' });
    const { left, top, width, height } = button.getBoundingClientRect();
    const at = document.elementFromPoint(left + width / 2, top + height / 2);
    if (!at || !button.contains(at)) found.push(`${id} is covered by ${at?.outerHTML.slice(0, 80)}`);
  }
  return found;
}

test('a small or magnified window is scrolled, and nothing covers what is pressed', async (t) => {
  // 320 × 256 px is 1280 × 1024 at 400 % (WCAG 1.4.10).
  const found = [];
  for (const preset of ['link-dies', 'host-first-packet']) {
    const page = await openRun(t, `#preset/${preset}`);
    for (const [width, height] of [[320, 256], [360, 225], [320, 480], [1440, 420]]) {
      await page.setViewportSize({ width, height });
      await page.waitForTimeout(250);
      for (const one of await page.evaluate(unreachable)) found.push(`${preset} at ${width} × ${height}: ${one}`);
    }
  }
  assert.deepEqual(found, []);
});

test('the dock keeps its height from one tab to another, and the lanes theirs', async (t) => {
  for (const preset of ['link-dies', 'host-first-packet']) {
    const page = await openRun(t, `#preset/${preset}`);
    for (const [width, height] of [[1280, 800], [1440, 900]]) {
      await page.setViewportSize({ width, height });
      const tops = new Set();
      for (const tab of await page.locator('.dock-tabs [role=tab]').all()) {
        await tab.click();
        tops.add(Math.round((await page.locator('.dock-tabs').boundingBox()).y));
      }
      assert.equal(tops.size, 1, `${preset} at ${width}: the tabs are at ${[...tops]}`);
    }
  }
  const page = await openRun(t, '#preset/link-dies');
  for (const [width, height] of [[1280, 800], [390, 844], [1024, 600]]) {
    await page.setViewportSize({ width, height });
    const names = await page.locator('.tl-names > :not(.axis, .overview)').evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom]));
    for (const [at, [top]] of names.entries()) {
      if (at > 0) assert.ok(top >= names[at - 1][1] - 1, `lane ${at} at ${width} lies upon the one above`);
    }
    await page.locator('.dock-panel').evaluate((panel) => panel.scrollTo(0, panel.scrollHeight));
    const axis = await page.locator('.tl-name.axis').boundingBox();
    const last = await page.locator('.tl-names > :not(.axis, .overview)').last().boundingBox();
    assert.ok(last.y + last.height <= axis.y + 1, `the last lane at ${width} ends above the axis`);
  }
});
