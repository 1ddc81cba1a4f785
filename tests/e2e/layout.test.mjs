// The page fits its window: nothing makes it scroll, and on a phone nothing lies over something else.

import assert from 'node:assert/strict';
import test from 'node:test';
import { end, openRun } from './stage.mjs';

const PHONE = { width: 390, height: 844 };

/** True when the document is not longer or wider than the window. */
const fits = (page) =>
  page.evaluate(() => {
    const { scrollHeight, scrollWidth } = document.documentElement;
    return scrollHeight <= window.innerHeight && scrollWidth <= window.innerWidth;
  });

test('the page is never longer than its window, whatever is unfolded in the panels', async (t) => {
  const page = await openRun(t, '#preset/three-tiers');
  for (const size of [{ width: 1280, height: 800 }, { width: 1280, height: 500 }, PHONE]) {
    await page.setViewportSize(size);
    if (size === PHONE) await page.getByTestId('panel-scenario').click();
    for (const part of ['.topology', '.settings']) {
      await page.evaluate((part) => {
        const details = document.querySelector(`details${part}, ${part} details`);
        details.open = true;
        details.scrollIntoView();
      }, part);
      assert.ok(await fits(page), `${part} at ${size.width} × ${size.height}`);
      const top = await page.locator('.top').boundingBox();
      assert.equal(top.y, 0, `the header stays, ${part} at ${size.width} × ${size.height}`);
    }
    await page.evaluate(() => document.querySelector('[data-testid=file-input]').focus());
    assert.ok(await fits(page));
  }
});

test('on a phone the time axis and the figures beside the plots can be read', async (t) => {
  const page = await openRun(t, '#preset/clustermapper', { context: { viewport: PHONE } });
  await end(page);
  await page.getByTestId('panel-timeline').click();
  const boxes = await page.locator('.tl-axis text').evaluateAll((texts) =>
    texts
      .map((text) => text.getBoundingClientRect())
      .filter((box) => box.width > 0)
      .map(({ left, right }) => ({ left, right })),
  );
  assert.ok(boxes.length >= 3, `${boxes.length} labels`);
  for (let i = 1; i < boxes.length; i++) assert.ok(boxes[i - 1].right < boxes[i].left, `label ${i} lies beside the one before`);
  const cut = await page.locator('.tl-value').evaluateAll((values) =>
    values.filter((value) => value.scrollWidth > value.clientWidth).map((value) => value.textContent),
  );
  assert.deepEqual(cut, []);
});

test('a stage of another size is drawn before it is shown', async (t) => {
  const page = await openRun(t, '#preset/link-dies');
  const canvas = page.getByTestId('stage');
  // While nothing plays and nothing has to be drawn any more.
  await page.waitForFunction(() => {
    const { drawn } = document.querySelector('[data-testid=stage]').dataset;
    const same = globalThis.drawnBefore === drawn;
    globalThis.drawnBefore = drawn;
    return same;
  }, undefined, { polling: 300 });
  const before = Number(await canvas.getAttribute('data-drawn'));
  // It hears of a size after the page does, and before the browser paints.
  await canvas.evaluate((stage) => {
    globalThis.drawnAt = [];
    new ResizeObserver(() => globalThis.drawnAt.push(Number(stage.dataset.drawn))).observe(stage);
  });
  await page.waitForFunction(() => globalThis.drawnAt.length > 0);
  // The window stays as it is: of that the page would hear sooner.
  await canvas.evaluate((stage) => {
    stage.style.maxHeight = '150px';
  });
  await page.waitForFunction(() => globalThis.drawnAt.length > 1);
  const at = await page.evaluate(() => globalThis.drawnAt);
  assert.ok(at[1] > before, `${before}, then ${at}`);
});
