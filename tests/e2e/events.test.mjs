// The events list: its filter, its rows, what a row leads to, and the files that it gives; and a packet's life.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { counter, finish, openRun, openScenario, ready } from './stage.mjs';

// Five senders into one NIC: its port trims.
const INCAST = {
  version: 1, name: 'Incast', seed: 7, until: '2ms',
  fabric: { planes: 2, t0_per_plane: 3, t1_per_plane: 2, nics_per_t0: 2, nic_link_rate: '100Gbps' },
  transport: { evs: 16 },
  traffic: [{ kind: 'incast', dst: 0, senders: 5, bytes: '200kB' }],
};

async function openLog(t) {
  const page = await openRun(t);
  await openScenario(page, INCAST);
  await finish(page);
  await page.getByTestId('tab-events').click();
  await page.getByTestId('events-all').click();
  await page.getByTestId('event-row').first().waitFor();
  return page;
}

async function filter(page, text) {
  await page.getByTestId('event-filter').fill(text);
}

/** How many rows match, once the list says so. */
async function matches(page) {
  const count = page.getByTestId('events-count');
  await count.filter({ hasText: 'match' }).waitFor();
  return Number((await count.textContent()).split(' of ')[0].replaceAll(/\D/g, ''));
}

test('a filter finds as many events as the counters say', async (t) => {
  const page = await openLog(t);
  const all = await page.getByTestId('event-row').count();
  assert.ok(all < 400, `only rows in sight are on the page, not ${all}`);
  await filter(page, 'trim');
  await page.locator('[data-testid=event-row][data-kind=trim]').first().waitFor();
  const trims = (await counter(page, 'trims')) + (await counter(page, 'trims-last-hop'));
  assert.ok(trims > 0);
  assert.equal(await matches(page), trims);
  const kinds = await page.getByTestId('event-row').evaluateAll((rows) => rows.map((row) => row.dataset.kind));
  assert.deepEqual([...new Set(kinds)], ['trim']);
  assert.match(await page.getByTestId('filter-sign').textContent(), /in force/);
});

test('a filter that is none says where and why, and the last one stays in force', async (t) => {
  const page = await openLog(t);
  await filter(page, 'qp == 3');
  const found = await matches(page);
  await filter(page, 'qp = 3');
  const problem = page.getByTestId('filter-problem');
  await problem.waitFor();
  assert.match(await problem.textContent(), /column 4: two equal signs compare: ==/);
  assert.equal(await problem.locator('mark').textContent(), '=');
  assert.equal(await page.getByTestId('event-filter').getAttribute('aria-invalid'), 'true');
  assert.equal(await matches(page), found);
  await page.getByTestId('filter-clear').click();
  assert.equal(await page.getByTestId('event-filter').inputValue(), '');
});

test('a row goes to its time and shows the life of its packet, by mouse and by keyboard', async (t) => {
  const page = await openLog(t);
  await filter(page, 'trim && qp == 1');
  const row = page.locator('[data-testid=event-row][data-kind=trim]').first();
  await row.waitFor();
  const psn = await row.locator('.psn').textContent();
  const when = await row.getAttribute('data-ps');
  await row.click();
  await page.getByTestId('life').waitFor();
  assert.match(await page.getByTestId('life').textContent(), new RegExp(`Life of PSN ${psn}`));
  await page.locator(`[data-testid=time][data-ps="${when}"]`).waitFor();
  assert.match(await page.getByTestId('subject').textContent(), /1/);

  // On to the end of the run: all of its life.
  await finish(page);
  await page.getByTestId('life-verdict').filter({ hasText: /placed after .*acknowledged after/ }).waitFor();
  assert.ok((await page.getByTestId('transmission').count()) >= 2, 'a trimmed packet is sent again');
  assert.match(await page.getByTestId('life-answers').textContent(), /NACK/);

  await page.getByTestId('event-list').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.locator('.event-row.current').getAttribute('id'), 'event-1');
  const second = await page.locator('#event-1').getAttribute('data-ps');
  await page.keyboard.press('Enter');
  await page.locator(`[data-testid=time][data-ps="${second}"]`).waitFor();
  await page.keyboard.press('End');
  const last = (await matches(page)) - 1;
  await page.locator(`#event-${last}.current`).waitFor();
});

test('chips are filters, and own ones are kept', async (t) => {
  const page = await openLog(t);
  await page.getByTestId('filter-chip').first().click();
  await page.waitForFunction(() => document.querySelector('[data-testid=event-filter]').value === 'trim || drop');
  await filter(page, 'psn >= 10 && sack');
  await page.getByTestId('filter-keep').click();
  await page.getByTestId('filter-chip').filter({ hasText: 'psn >= 10 && sack' }).waitFor();
  await page.reload();
  await ready(page);
  await page.getByTestId('tab-events').click();
  await page.getByTestId('events-all').click();
  await page.getByTestId('filter-chip').filter({ hasText: 'psn >= 10 && sack' }).waitFor();
});

test('all rows that match are saved, as CSV and as JSON', async (t) => {
  const page = await openLog(t);
  await filter(page, 'placed && qp == 2');
  const count = await matches(page);
  const saved = async (form) => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByTestId(`events-${form}`).click(),
    ]);
    return readFile(await download.path(), 'utf8');
  };
  const lines = (await saved('csv')).trim().split('\r\n');
  assert.equal(lines[0], 'time_ps,kind,packet,qp,flow,psn,ev,link,plane,bytes,text');
  assert.equal(lines.length, count + 1);
  const rows = JSON.parse(await saved('json'));
  assert.equal(rows.length, count);
  assert.ok(rows.every((row) => row.kind === 'placed' && row.qp === 2));
  // Each packet of the QP once.
  assert.equal(new Set(rows.map((row) => row.psn)).size, count);
});
