// The paper's figures beside ours: the table of a paper preset, and that it stays the table of the preset.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { openRun, press, ready } from './stage.mjs';

/** What docs/evidence.md says of a preset: the cells of its rows. */
async function documented(slug) {
  const page = await readFile(new URL('../../docs/evidence.md', import.meta.url), 'utf8');
  const section = page.split('\n## ').find((text) => text.includes(`\`${slug}\``));
  return section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) => line.slice(2, -2).split(' | ').map((cell) => cell.replaceAll(/[`*]/g, '').trim()));
}

/** The rows that the page shows: quantity, paper and how it is known, ours, verdict. */
const shown = (page) =>
  page.getByTestId('paper-row').evaluateAll((rows) =>
    rows.map((row) => {
      const [quantity, paper, ours, verdict] = [...row.children].map((cell) => cell.textContent.trim().replaceAll(/\s/g, ' '));
      return [quantity, paper, ours, verdict.replace(/^\P{L}+/u, '')];
    }),
  );

/** Opens the tab with the table of the paper preset that is open. */
async function openTable(page) {
  await page.getByTestId('paper-open').click();
  await page.getByTestId('paper').waitFor();
}

test('a paper preset has its table, row by row as the documentation has it', async (t) => {
  const page = await openRun(t, '#preset/paper-fig-9a');
  assert.match(await page.locator('.paper-link').innerText(), /^Paper beside ours: 15 of 15 rows match$/);
  await openTable(page);
  for (const slug of ['paper-fig-9a', 'paper-fig-8', 'paper-fig-16']) {
    await page.getByTestId(`preset-${slug}`).click();
    await page.locator(`[data-testid=paper][data-preset=${slug}]`).waitFor();
    const rows = await documented(slug);
    assert.ok(rows.length > 0);
    assert.deepEqual(
      await shown(page),
      rows.map(([quantity, paper, known, ours, , , verdict]) => [quantity, `${paper} ${known}`, ours, verdict]),
      slug,
    );
  }
  // Fig 8's table says what is measured and that ours is not the run on screen.
  await page.getByTestId('preset-paper-fig-8').click();
  const table = page.locator('[data-testid=paper][data-preset=paper-fig-8]');
  await table.waitFor();
  assert.match(await page.getByTestId('paper-recorded').innerText(), /mean of 10 runs.*flowglass evidence --only fig8.*run on screen is a single one/s);
  for (const name of ['Source', 'Scaling', 'Measured']) await table.getByText(name, { exact: true }).waitFor();
});

test('why ours differs is there for the keyboard, one row or all', async (t) => {
  const page = await openRun(t, '#preset/paper-fig-18');
  await openTable(page);
  assert.equal(await page.getByTestId('paper-summary').innerText(), '5 of 6 rows match, 1 differs');
  const reasons = page.getByTestId('paper-reason');
  const visible = () => reasons.evaluateAll((list) => list.filter((e) => e.checkVisibility()).map((e) => e.textContent));
  assert.deepEqual(await visible(), []);
  const differs = page.getByTestId('paper-row').filter({ hasText: 'differs' });
  assert.equal(await differs.count(), 1);
  const button = differs.getByRole('button');
  await button.focus();
  await page.keyboard.press('Enter');
  assert.equal(await button.getAttribute('aria-expanded'), 'true');
  const [row] = (await documented('paper-fig-18')).filter((cells) => cells[6] === 'differs');
  assert.deepEqual(await visible(), [`Reason: ${row[7]}.`]);
  await page.keyboard.press('Space');
  assert.deepEqual(await visible(), []);
  // A match has its rule.
  await page.getByTestId('paper-row').first().click();
  await page.getByText('Rule for a match:').locator('visible=true').waitFor();
  // Fig 16 has many reasons.
  await page.getByTestId('preset-paper-fig-16').click();
  await page.locator('[data-testid=paper][data-preset=paper-fig-16]').waitFor();
  await page.getByTestId('paper-reasons').click();
  const all = (await documented('paper-fig-16')).filter((cells) => cells[7] !== '');
  assert.ok(all.length > 10);
  assert.equal((await visible()).length, all.length);
  await page.getByTestId('paper-reasons').click();
  assert.deepEqual(await visible(), []);
});

test('an edited scenario keeps the table and says that it is of the preset', async (t) => {
  const page = await openRun(t, '#preset/paper-fig-8');
  await openTable(page);
  const edited = page.getByTestId('paper-edited');
  assert.equal(await edited.count(), 0);
  // Another seed is the same experiment.
  await page.getByTestId('seed').fill('7');
  await page.getByTestId('seed').press('Enter');
  await ready(page);
  assert.equal(await edited.count(), 0);
  // A fault taken out of it is not.
  await page.getByTestId('fault').first().getByRole('button').last().click();
  await edited.waitFor();
  // What comes in a link is recognised, too.
  await page.getByTestId('share').click();
  const link = await page.getByTestId('share-link').inputValue();
  await page.getByTestId('close-dialog').click();
  await page.goto('about:blank');
  await page.goto(link);
  await ready(page);
  await openTable(page);
  await edited.waitFor();
  await page.getByTestId('paper-reopen').click();
  await edited.waitFor({ state: 'detached' });
  await ready(page);
  // A story of our own has no table.
  await page.getByTestId('preset-link-dies').click();
  await page.locator('.preset.current').getByTestId('preset-link-dies').waitFor();
  assert.equal(await page.getByTestId('tab-paper').count(), 0);
  assert.equal(await page.getByTestId('tab-timeline').getAttribute('aria-selected'), 'true');
});

test('on a phone the table can be read from side to side', async (t) => {
  const page = await openRun(t, '#preset/paper-fig-16', { context: { viewport: { width: 390, height: 844 } } });
  await page.getByTestId('panel-paper').click();
  await page.getByTestId('paper').waitFor();
  await page.getByTestId('paper-reasons').click();
  const { clientWidth, scrollWidth, scrollHeight, clientHeight } = await page
    .locator('.dock-panel')
    .evaluate((e) => ({ clientWidth: e.clientWidth, scrollWidth: e.scrollWidth, scrollHeight: e.scrollHeight, clientHeight: e.clientHeight }));
  assert.ok(scrollWidth <= clientWidth, `${scrollWidth} of ${clientWidth} px`);
  assert.ok(scrollHeight > clientHeight);
  // The last row can be reached, and the page itself does not scroll.
  await page.getByTestId('paper-row').last().scrollIntoViewIfNeeded();
  const top = await page.locator('.top').boundingBox();
  assert.equal(top.y, 0);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
  await press(page, 'Space');
});
