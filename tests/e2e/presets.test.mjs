// Every preset opens from its list and plays, the experiments of the paper among them.

import assert from 'node:assert/strict';
import test from 'node:test';
import { openRun, press, ready, timePs } from './stage.mjs';

/** What no figure may be. */
const NO_FIGURE = /\bNaN\b|\bundefined\b|\bInfinity\b|\binf\b/;

/** Opens each preset that fits, plays it for a moment, and looks at everything that the page says. */
async function playAll(page, slugs) {
  for (const slug of slugs) {
    await page.getByTestId(`preset-${slug}`).click();
    await page.locator('.preset.current').getByTestId(`preset-${slug}`).waitFor();
    await ready(page);
    assert.equal(new URL(page.url()).hash, `#preset/${slug}`);
    assert.equal(await page.locator('.notice').count(), 0, slug);
    await press(page, 'Space');
    await page.waitForFunction(() => Number(document.querySelector('[data-testid=time]').dataset.ps) > 0);
    await press(page, 'Space');
    for (const tab of ['events', 'flows', 'timeline']) {
      await page.getByTestId(`tab-${tab}`).click();
      const lines = (await page.locator('body').innerText()).split('\n');
      assert.deepEqual(lines.filter((line) => NO_FIGURE.test(line)), [], `${slug}, ${tab}`);
    }
  }
}

test('the stories open and play', async (t) => {
  const page = await openRun(t);
  const all = await page.locator('[data-testid^=preset-]').evaluateAll((list) => list.map((e) => e.dataset.testid.slice(7)));
  const isCompared = (slug) => slug.startsWith('ladder-') || slug.startsWith('scale-');
  const stories = all.filter(
    (slug) => !slug.startsWith('paper-') && !slug.startsWith('host-') && slug !== 'whole-fabric' && !isCompared(slug),
  );
  // All but the one that has a test of its own.
  assert.equal(stories.length, 23);
  assert.equal(all.filter(isCompared).length, 14);
  await playAll(page, stories);
});

test('the first and the last rung of the ladder open and play, and both systems at scale', async (t) => {
  const page = await openRun(t);
  await playAll(page, ['ladder-1-roce', 'ladder-11-planes', 'scale-roce', 'scale-mrc']);
});

test('the experiments of the paper open and play, and their links name them', async (t) => {
  const page = await openRun(t, '#preset/paper-fig-8');
  await page.locator('.preset.current').getByTestId('preset-paper-fig-8').waitFor();
  assert.ok((await timePs(page)) === 0);
  const all = await page.locator('[data-testid^=preset-paper-]').evaluateAll((list) => list.map((e) => e.dataset.testid.slice(7)));
  assert.equal(all.length, 20);
  await playAll(page, all);
});
