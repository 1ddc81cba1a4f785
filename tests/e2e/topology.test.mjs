// The fabric's card: what the scenario's fabric is made of.

import assert from 'node:assert/strict';
import test from 'node:test';
import { openPage } from './browser.mjs';

test('the fabric of the scenario has a card', async (t) => {
  const page = await openPage(t);
  const card = page.getByTestId('topology');
  await card.getByText('Fabric', { exact: true }).click();
  const figure = (section, label) =>
    card.getByRole('table', { name: section }).getByRole('row', { name: label }).getByRole('cell').innerText();
  // By hand from the first preset: 4 planes of 4 T0s and 4 T1s for 16 NICs; a T0–T1 link is one of 4 uplinks of its T0.
  assert.equal(await figure('Switches', 'in all'), '32');
  assert.equal(await figure('Switches', 'T2'), '–');
  assert.equal(await figure('Share of the uplinks of what is below', 'T0–T1 link'), '25 %');
  await page.getByTestId('preset-three-tiers').click();
  await card.getByRole('table', { name: 'Switches' }).getByRole('row', { name: 'T2' }).getByText('8').waitFor();
  assert.equal(await figure('Paths', 'switches on the longest path'), '5');
});
