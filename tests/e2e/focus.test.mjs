// Tab goes through the page with a focus that can be seen; who asks for less motion gets none.

import assert from 'node:assert/strict';
import test from 'node:test';
import { openRun, press } from './stage.mjs';

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
