// What comes from outside: files, links, and what is wrong with them.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { openPage } from './browser.mjs';
import { finish, openRun, ready } from './stage.mjs';

const DATA = new URL('../../crates/scenario/tests/data/', import.meta.url);

async function file(name) {
  return { name, mimeType: 'text/plain', buffer: await readFile(new URL(name, DATA)) };
}

/** Drops files on the page as a user does. */
async function drop(page, files) {
  const transfer = await page.evaluateHandle(
    (list) => {
      const transfer = new DataTransfer();
      for (const { name, text } of list) transfer.items.add(new File([text], name));
      return transfer;
    },
    files.map(({ name, buffer }) => ({ name, text: buffer.toString() })),
  );
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
}

test('a dropped matrix and topology run, and completion times come out', async (t) => {
  const page = await openRun(t);
  await drop(page, [await file('incast_8to1_n128_2000000.cm'), await file('ls_n128_400g.topo')]);
  await page.getByTestId('scenario-name').filter({ hasText: 'incast_8to1_n128_2000000.cm' }).waitFor();
  await ready(page);
  await finish(page);
  await page.getByTestId('tab-flows').click();
  await page.getByTestId('flow-row').nth(7).waitFor();
  assert.equal(await page.getByTestId('flow-row').count(), 8);
  assert.match(await page.getByTestId('fct-summary').textContent(), /p50 [\d.]+ µs/);
});

test('a matrix alone is asked for its topology, or gets a matching one', async (t) => {
  const page = await openRun(t);
  const matrix = 'Nodes 32\nConnections 3\n0->8 id 1 start 0 size 200000\n1->8 id 2 start 5 size 200000\n2->9 start 7 size 100000\n';
  await drop(page, [{ name: 'three.cm', buffer: Buffer.from(matrix) }]);
  await page.getByTestId('make-topology').click();
  await page.getByTestId('import-notes').filter({ hasText: '`start` is read in microseconds' }).waitFor();
  await ready(page);
  await page.getByTestId('import-unit').selectOption('ps');
  await page.getByTestId('import-notes').filter({ hasText: '`start` is read in picoseconds, as stated' }).waitFor();
  await ready(page);
  await page.getByTestId('import-rules').selectOption('htsim');
  await ready(page);
  await finish(page);
});

test('what is wrong with a matrix is listed by line', async (t) => {
  const page = await openRun(t);
  const matrix = 'Nodes 4\nConnections 2\n0->9 id 1 start 0 size 5\n1->1 id 2 start 0 size 0\n';
  await drop(page, [{ name: 'bad.cm', buffer: Buffer.from(matrix) }]);
  const problems = page.getByTestId('import-problems');
  await problems.filter({ hasText: 'bad.cm:3:' }).filter({ hasText: 'bad.cm:4:' }).waitFor();
});

test('a file of no known kind is refused with what is expected', async (t) => {
  const page = await openRun(t);
  await drop(page, [{ name: 'cat.txt', buffer: Buffer.from('meow') }]);
  await page.getByTestId('notice').filter({ hasText: 'cat.txt' }).filter({ hasText: '.topo' }).waitFor();
  await drop(page, [{ name: 'half.json', buffer: Buffer.from('{"version": 1,') }]);
  await page.getByTestId('notice').filter({ hasText: 'half.json is not a scenario' }).filter({ hasText: 'line 1' }).waitFor();
});

test('a corrupted link says what is wrong and offers the presets', async (t) => {
  const page = await openPage(t, '#1.AAAAtotallywrong');
  await page.getByTestId('notice').filter({ hasText: 'This link cannot be opened' }).waitFor();
  await page.getByTestId('empty').waitFor();
  await page.getByTestId('preset-incast').click();
  await ready(page);
  assert.match(page.url(), /#preset\/incast$/);
  assert.equal(await page.getByTestId('notice').count(), 0);
});

test('a link that leads nowhere takes back what was said of the one before, whatever kind that was', async (t) => {
  const page = await openRun(t);
  for (const [hash, words] of [
    ['#c=preset/nope', 'scenario 1 of the comparison: there is no preset "nope"'],
    ['#preset/nope', 'there is no preset "nope"'],
    ['#story/nope', 'there is no story "nope"'],
  ]) {
    await page.evaluate((hash) => {
      location.hash = hash;
    }, hash);
    await page.getByTestId('notice').filter({ hasText: words }).waitFor();
    assert.equal(await page.getByTestId('notice').count(), 1, hash);
  }
});

test('another link in the same tab opens another run', async (t) => {
  const page = await openRun(t, '#preset/incast');
  await page.evaluate(() => {
    location.hash = '#preset/lossy-link&seed=7';
  });
  await page.getByTestId('scenario-name').filter({ hasText: 'loses one packet' }).waitFor();
  await ready(page);
  assert.equal(await page.getByTestId('seed').inputValue(), '7');
});

test('when the worker cannot be loaded the page says so and starts another', async (t) => {
  const page = await openPage(t, '', { expected: /flowglass-worker|404|Failed to load/ });
  await ready(page);
  await page.route('**/flowglass-worker*', (route) => route.abort());
  await page.reload();
  await page.getByTestId('broken').waitFor();
  await page.unroute('**/flowglass-worker*');
  await page.getByTestId('restart-worker').click();
  await ready(page);
  await finish(page);
});
