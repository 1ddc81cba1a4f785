// The host page: opening, playing, going back, looking inside, describing packets, tables, charts, cost, servicing, sharing.

import assert from 'node:assert/strict';
import test from 'node:test';
import { counter, end, openRun, openScenario, press, reach, ready, timePs } from './stage.mjs';

const FIRST = '#preset/host-first-packet';

/** Selects a tab of the dock. */
const tab = (page, name) => page.getByTestId(`tab-${name}`).click();

/** The run's link, from the share dialog. */
async function shared(page) {
  await page.getByTestId('share').click();
  const link = await page.getByTestId('share-link').inputValue();
  await page.getByTestId('close-dialog').click();
  return link;
}

/** Waits until the run rests at a time that it was sent to. */
async function rest(page, ps) {
  await page.waitForFunction(
    (ps) => {
      const status = document.querySelector('[data-testid=status]').textContent;
      return !status.startsWith('on the way') && Number(document.querySelector('[data-testid=time]').dataset.ps) >= ps;
    },
    ps,
    { timeout: 60_000 },
  );
}

test('a host preset opens the host page, and a fabric preset the other one again', async (t) => {
  const page = await openRun(t);
  await page.getByTestId('preset-host-first-packet').click();
  await page.locator('[data-page=host][data-phase=ready]').waitFor();
  assert.match(await page.getByTestId('scenario-name').textContent(), /first packet/);
  assert.equal(new URL(page.url()).hash, FIRST);
  await page.getByTestId('preset-incast').click();
  await page.locator('[data-testid=app]:not([data-page])[data-phase=ready]').waitFor();
  assert.match(await page.getByTestId('scenario-name').textContent(), /Seven to one/);
});

test('one connection: one exception, then hardware; the digest is the same every time', async (t) => {
  const page = await openRun(t, FIRST);
  const first = await end(page);
  assert.equal(await counter(page, 'miss'), 1);
  assert.ok((await counter(page, 'delivered-hardware')) > 30);
  await page.getByTestId('restart').click();
  await ready(page);
  await page.waitForFunction(() => Number(document.querySelector('[data-testid=time]').dataset.ps) === 0);
  assert.equal(await end(page), first);
});

test('play, pause, one event at a time', async (t) => {
  const page = await openRun(t, FIRST);
  for (const expected of [1, 2, 3]) {
    await press(page, '.');
    await page.waitForFunction((n) => Number(document.querySelector('[data-testid=events]').textContent) === n, expected);
  }
  await page.getByTestId('speed').fill('18');
  await press(page, 'Space');
  await reach(page, 100);
  await press(page, 'Space');
  await page.locator('[data-testid=play][aria-label=Play]').waitFor();
  await page.waitForTimeout(200);
  const paused = await timePs(page);
  await page.waitForTimeout(300);
  assert.equal(await timePs(page), paused);
});

test('the time bar goes back and forth in the same run', async (t) => {
  const page = await openRun(t, FIRST);
  const last = await end(page);
  const bar = page.getByTestId('time-bar');
  await bar.fill('60');
  // 5 ms in 1,000 steps.
  await page.waitForFunction(() => Number(document.querySelector('[data-testid=time]').dataset.ps) === 3e8);
  await rest(page, 3e8);
  const there = await page.getByTestId('digest').textContent();
  assert.notEqual(there, last);
  await bar.fill('20');
  await page.waitForFunction(() => Number(document.querySelector('[data-testid=time]').dataset.ps) === 1e8);
  await bar.fill('60');
  await page.waitForFunction(() => Number(document.querySelector('[data-testid=time]').dataset.ps) === 3e8);
  await page.waitForFunction((digest) => document.querySelector('[data-testid=digest]').textContent === digest, there);
  assert.equal(await end(page), last);
});

test('a packet, its layers, its flow and its entry', async (t) => {
  const page = await openRun(t, FIRST);
  // The run's first events: a look at the figures, and the application that opens the connection.
  for (let step = 0; step < 4; step++) await press(page, '.');
  await page.waitForFunction(() => document.querySelector('[data-testid=events]').textContent === '4');
  await page.getByTestId('next-packet').click();
  const packet = page.getByTestId('packet');
  await packet.waitFor();
  assert.match(await packet.textContent(), /flags SYN/);
  assert.ok((await packet.getByTestId('walk-layer').count()) >= 4);
  assert.match(await packet.textContent(), /Push/);
  await end(page);
  await page.getByTestId('packet-gone').waitFor();
  await page.getByTestId('time-bar').fill('60');
  await page.waitForFunction(() => Number(document.querySelector('[data-testid=time]').dataset.ps) === 3e8);
  await tab(page, 'flows');
  await page.getByTestId('flow-row').filter({ hasText: 'Activated, in L1' }).waitFor();
  await page.getByTestId('flow-row').first().getByRole('button').click();
  const flow = page.getByTestId('flow');
  await flow.waitFor();
  assert.match(await flow.textContent(), /SYN_RCVD[\s\S]*Activated, in L1/);
  await page.getByTestId('look-into').selectOption({ label: 'SmartNIC' });
  await page.getByTestId('nic').waitFor();
  await page.getByTestId('look-into').selectOption({ index: 3 });
  await page.getByTestId('layer').waitFor();
});

test('process-tuples answers without sending, and names the field that is wrong', async (t) => {
  const page = await openRun(t, FIRST);
  const before = await page.getByTestId('digest').textContent();
  await tab(page, 'process');
  await page.getByTestId('process').click();
  await page.getByTestId('verdict').waitFor();
  assert.equal(await page.getByTestId('verdict-word').first().textContent(), 'Forward');
  assert.match(await page.getByTestId('entries').textContent(), /out: TCP 10\.1\.0\.4 port 50000/);
  await page.getByTestId('tuple-destination-port').fill('70000');
  await page.getByTestId('process').click();
  assert.equal(
    await page.getByTestId('tuple-problem').textContent(),
    'The destination port is "70000"; expected a number from 0 to 65535',
  );
  assert.equal(await page.getByTestId('tuple-destination-port').getAttribute('aria-invalid'), 'true');
  assert.equal(await page.getByTestId('verdict').count(), 0, 'no verdict of another packet');
  // A line that is none keeps its text, and shows no verdict either.
  await page.getByTestId('tuple-line').fill('udp 10.1.0.4 5');
  await page.getByTestId('tuple-line').press('Enter');
  assert.match(await page.getByTestId('tuple-problem').textContent(), /^The line has 3 words; expected 7/);
  assert.equal(await page.getByTestId('tuple-line').inputValue(), 'udp 10.1.0.4 5');
  assert.equal(await page.getByTestId('tuple-line').getAttribute('aria-invalid'), 'true');
  // What the port's guard drops has no walk.
  await page.getByTestId('tuple-line').fill('6 10.9.9.9 5 10.1.128.0 53 out 1');
  await page.getByTestId('tuple-line').press('Enter');
  await page.getByTestId('verdict-why').filter({ hasText: "dropped by the port's guard before any layer" }).waitFor();
  assert.equal(await page.getByTestId('walk-layer').count(), 0);
  // A verdict is marked as soon as its question changes.
  await page.getByTestId('tuple-destination-port').fill('54');
  await page.getByTestId('of-before').waitFor();
  await page.getByTestId('tuple-destination-port').fill('53');
  await page.getByTestId('of-before').waitFor({ state: 'detached' });
  await page.getByTestId('tuple-line').fill('udp 10.1.0.4 5 10.1.128.0 53 out 0');
  await page.getByTestId('tuple-line').press('Enter');
  await page.getByTestId('verdict').filter({ hasText: 'UDP 10.1.0.4' }).waitFor();
  assert.equal(await page.getByTestId('tuple-protocol').inputValue(), 'udp');
  assert.equal(await page.getByTestId('digest').textContent(), before);
});

test('the flow table: cells of L1, hits and misses', async (t) => {
  const page = await openRun(t, FIRST);
  await end(page);
  await tab(page, 'tables');
  await page.getByTestId('l1-grid').waitFor();
  assert.match(await page.getByTestId('l1-grid').getAttribute('aria-label'), /^L1: \d+ activated, \d+ deactivated, 0 stale/);
  assert.match(await page.getByTestId('table-facts').textContent(), /L1 hits\d/);
  const size = await page.getByTestId('l1-grid').evaluate((canvas) => [canvas.width, canvas.height]);
  // 2,048 cells of 5 pixels, 64 in a row.
  assert.deepEqual(size, [320, 160]);
});

test('values of the flow table are not broken into lines', async (t) => {
  const page = await openRun(t, '#preset/host-lazy-reconcile');
  await tab(page, 'tables');
  const facts = page.getByTestId('table-facts');
  await facts.filter({ hasText: 'B per flow' }).waitFor();
  for (const [width, height] of [[1440, 900], [390, 844]]) {
    await page.setViewportSize({ width, height });
    const seen = await facts.evaluate((list) => {
      const values = [...list.querySelectorAll('dd')];
      const lines = values.map((value) => {
        const range = document.createRange();
        range.selectNodeContents(value);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      });
      const panel = list.closest('.tables-view').getBoundingClientRect();
      return { lines: Math.max(...lines), beyond: Math.max(...values.map((value) => value.getBoundingClientRect().right)) - panel.right };
    });
    assert.equal(seen.lines, 1, `${width}`);
    assert.ok(seen.beyond <= 0, `${width}: ${seen.beyond}`);
  }
});

test('charts: latency by path, and the knee of a sweep', async (t) => {
  const page = await openRun(t, FIRST);
  await openScenario(page, {
    version: 1,
    name: 'Few connections',
    until: '10ms',
    host: {},
    vms: [{}],
    traffic: [{ kind: 'connections', vm: 0, per_second: 2000, request: 100, response: 100 }],
  });
  await end(page);
  await page.getByTestId('latency-table').waitFor();
  assert.match(await page.getByTestId('latency-table').textContent(), /hardware.*µs/);
  // Some 40 connections, of four packets without payload over the VF each: too few for a 99.9th percentile.
  assert.match(await page.getByTestId('latency-table').textContent(), /n = \d+/);
  await page.getByTestId('curve').click();
  await page.getByTestId('curve-status').filter({ hasText: '27 runs; means' }).waitFor({ timeout: 60_000 });
  assert.match(await page.getByTestId('curve-says').textContent(), / ± /);
  assert.equal(await page.getByTestId('curve-chart').locator('.interval').count(), 9);
});

test('latency over time by path: the pings of a host that is serviced, 17, 50 and 17 µs', async (t) => {
  const page = await openRun(t, '#preset/host-vf-revoke');
  await end(page);
  assert.equal(await page.getByTestId('latency-of').inputValue(), '0');
  const table = page.getByTestId('latency-table');
  await table.filter({ hasText: /hardware[^a-z]*17\.\d+ µs.*synthetic[^a-z]*(49|50)\.\d+ µs/ }).waitFor();
  // Hardware's line has a gap while the VF is away.
  const gaps = await page.getByTestId('delay-chart').locator('path.line.s0').first().getAttribute('d');
  assert.equal(gaps.match(/M/g).length, 2, gaps);
  await page.getByTestId('latency-of').selectOption({ label: 'all packets' });
  await table.filter({ hasText: /exception/ }).waitFor();
});

test('a preset that asks shows its answer with intervals', async (t) => {
  const page = await openRun(t, '#preset/host-cps-knee');
  assert.match(await page.getByTestId('answer').textContent(), /Where is the knee\?.* ± .*docs\/accelnet-evidence\.md/);
  await page.getByTestId('preset-host-latency').click();
  await page.getByTestId('answer').waitFor({ state: 'detached' });
});

test('curves: a flood shuts honest connections out, and flows beyond the chip cost packets', async (t) => {
  const page = await openRun(t, '#preset/host-syn-flood');
  await page.getByTestId('curve-seeds').selectOption('1');
  await page.getByTestId('curve').click();
  await page.getByTestId('curve-status').filter({ hasText: '9 runs of one seed' }).waitFor({ timeout: 120_000 });
  // Beside 1,000 SYNs a second nearly all open; beside 200,000 few do: the exception path takes some 15,000.
  const flood = await page.getByTestId('curve-chart').textContent();
  assert.match(flood, /Honest connections that open beside a flood/);
  await page.goto(page.url().replace(/#.*/, '#preset/host-cache-cliff-l1'));
  await page.getByTestId('curve-status').filter({ hasText: 'a 64th to four times' }).waitFor();
  await page.getByTestId('curve-seeds').selectOption('1');
  await page.getByTestId('curve').click();
  await page.getByTestId('curve-status').filter({ hasText: /^\d runs of one seed/ }).waitFor({ timeout: 120_000 });
  assert.match(await page.getByTestId('curve-chart').textContent(), /Packets that arrive against flows/);
});

test('the ledger: an input changes the statement and is in the link', async (t) => {
  const page = await openRun(t, FIRST);
  await tab(page, 'cost');
  const statement = page.getByTestId('statement');
  assert.match(await statement.textContent(), /Cores returned\$ 2.575/);
  await page.getByTestId('cost-cores_returned').fill('8');
  await page.getByTestId('cost-cores_returned').press('Tab');
  // 8 × 0.105 × 8,760 × 0.7 = 5,150.88
  await statement.filter({ hasText: /Cores returned\$ 5.151/ }).waitFor();
  assert.equal(new URL(page.url()).hash, `${FIRST}&cost=cores_returned:8`);
  await page.getByTestId('cost-pue').fill('0.5');
  await page.getByTestId('cost-pue').press('Tab');
  assert.equal(await page.getByTestId('cost-problem').textContent(), '0.5 is too low or too high; expected 1 to 3 ratio');
  assert.equal(await page.getByTestId('cost-pue').inputValue(), '0.5');
  const link = await shared(page);
  await page.goto(link);
  await page.reload();
  await ready(page);
  await tab(page, 'cost');
  assert.equal(await page.getByTestId('cost-cores_returned').inputValue(), '8');
  assert.match(await page.getByTestId('alternatives').textContent(), /FPGA/);
});

test('what is done by hand is in the link, which repeats the run', async (t) => {
  const page = await openRun(t, FIRST);
  await page.getByTestId('time-bar').fill('100');
  await rest(page, 5e8);
  await page.getByTestId('act-vf-revoke').click();
  await ready(page);
  await rest(page, 5e8 + 1);
  assert.match(await page.getByTestId('host-events').textContent(), /500\.0 µs.*VF of VM 0 away/);
  assert.match(await page.getByTestId('host-events').textContent(), /by hand/);
  const digest = await end(page);
  const link = await shared(page);
  await page.goto(link);
  await page.reload();
  await ready(page);
  assert.equal(await end(page), digest);
  await tab(page, 'events');
  assert.match(await page.getByTestId('marks').textContent(), /VF removal signalled/);
});

test('what was done by hand stays so when another event is removed', async (t) => {
  const page = await openRun(t, '#preset/host-vf-revoke');
  await page.getByTestId('time-bar').fill('50');
  await rest(page, 3e10);
  await page.getByTestId('act-deny').click();
  await ready(page);
  const events = page.getByTestId('host-events');
  await events.filter({ hasText: /FPGA loaded[\s\S]*deny-443 addedby hand/ }).waitFor();
  await events.locator('li', { hasText: 'FPGA loaded' }).getByRole('button').click();
  await events.filter({ hasNotText: 'FPGA loaded' }).waitFor();
  assert.match(await events.textContent(), /deny-443 addedby hand/);
});

test('a servicing is shown on the stage in words, and bad files say what is wrong', async (t) => {
  const page = await openRun(t, '#preset/host-vf-revoke');
  await page.getByTestId('time-bar').fill('300');
  await rest(page, 1.8e11);
  await page.getByTestId('servicing').waitFor();
  assert.match(await page.getByTestId('stage-canvas').getAttribute('aria-label'), /on the synthetic path/);
  await page.getByTestId('file-input').setInputFiles({
    name: 'wrong.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{"version":1,"until":"1ms","host":{"nik":{}},"vms":[{}],"traffic":[]}'),
  });
  await page.getByTestId('notice').filter({ hasText: 'wrong.json is not a host scenario' }).waitFor();
  assert.match(await page.getByTestId('notice').textContent(), /nik/);
});

test('files and links of no use leave the run as it is', async (t) => {
  const page = await openRun(t, FIRST);
  const digest = await end(page);
  for (const [name, text, title] of [
    ['list.txt', 'milk, bread', 'list.txt is of no kind that can be opened here'],
    ['other.json', '{"a": 1}', 'other.json cannot be imported'],
  ]) {
    await page.getByTestId('file-input').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
    await page.locator('[data-testid=notice], [data-testid=import-card]').filter({ hasText: title }).waitFor();
  }
  await page.evaluate(() => (location.hash = '#1.nothing'));
  await page.getByTestId('notice').filter({ hasText: 'This link cannot be opened' }).waitFor();
  assert.equal(new URL(page.url()).hash, FIRST);
  assert.equal(await page.locator('[data-page=host]').count(), 1);
  assert.equal(await page.getByTestId('digest').textContent(), digest);
});

test('a changed experiment is in the address: reloading and going back find it again', async (t) => {
  const page = await openRun(t, FIRST);
  await page.getByTestId('seed').fill('7');
  await page.getByTestId('seed').press('Enter');
  await page.waitForFunction((first) => location.hash !== first && location.hash.startsWith('#1.'), FIRST);
  await ready(page);
  const own = new URL(page.url()).hash;
  await page.reload();
  await ready(page);
  assert.equal(await page.getByTestId('seed').inputValue(), '7');
  await page.getByTestId('preset-host-latency').click();
  await page.locator('.preset.current').getByTestId('preset-host-latency').waitFor();
  await page.getByTestId('preset-host-vf-revoke').click();
  await page.locator('.preset.current').getByTestId('preset-host-vf-revoke').waitFor();
  await page.goBack();
  await page.locator('.preset.current').getByTestId('preset-host-latency').waitFor();
  await page.goBack();
  await page.waitForFunction(() => document.querySelector('[data-testid=seed]').value === '7');
  assert.equal(new URL(page.url()).hash, own);
});

test('the time bar has marks, and one can jump from mark to mark', async (t) => {
  const page = await openRun(t, '#preset/host-vf-revoke');
  // The FPGA is loaded from 100 ms for 300 ms.
  assert.equal(await page.getByTestId('time-mark').count(), 2);
  assert.equal(await page.getByTestId('speed-label').textContent(), '10 ms/s');
  await page.getByTestId('next-mark').click();
  await rest(page, 98.8e9);
  assert.equal(await timePs(page), 98.8e9);
  await press(page, 'm');
  await rest(page, 398.8e9);
  await page.locator('[data-testid=next-mark]:disabled').waitFor();
  await press(page, '<');
  await rest(page, 98.8e9);
  assert.equal(await timePs(page), 98.8e9);
});

test('the stage stays high enough in small windows, and the seed whole', async (t) => {
  for (const [width, height] of [[1024, 768], [390, 844]]) {
    const page = await openRun(t, FIRST, { context: { viewport: { width, height } } });
    for (const name of ['tables', 'cost']) {
      if (width < 900) await page.getByTestId(`panel-${name}`).click();
      else await tab(page, name);
      const box = await page.getByTestId('stage').boundingBox();
      assert.ok(box.height >= 220, `${width} × ${height}, ${name}: ${box.height} px`);
    }
    const seed = await page.getByTestId('seed').boundingBox();
    const controls = await page.locator('.controls').boundingBox();
    assert.ok(seed.x + seed.width <= controls.x + controls.width, 'the seed is cut');
  }
});

test('a parameter is changed or refused at its place', async (t) => {
  const page = await openRun(t, FIRST);
  await page.getByTestId('settings').locator('summary').click();
  const field = page.getByTestId('parameter-host.nic.l1_entries');
  await field.fill('0');
  await field.press('Tab');
  await page.getByTestId('setting-problem').waitFor();
  assert.equal(await field.inputValue(), '0');
  await field.fill('1024');
  await field.press('Tab');
  await ready(page);
  await tab(page, 'tables');
  await page.getByTestId('l1-count').filter({ hasText: /of 1.024/ }).waitFor();
});

test('a small window has everything, one panel at a time', async (t) => {
  const page = await openRun(t, FIRST, { context: { viewport: { width: 390, height: 844 } } });
  for (const name of ['charts', 'inspect', 'scenario', 'tables', 'flows', 'process', 'cost', 'events']) {
    await page.getByTestId(`panel-${name}`).click();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `${name}: ${width} px wide`);
  }
});

test('every host preset opens, plays and goes back, and no figure is none', async (t) => {
  const page = await openRun(t, FIRST);
  const slugs = await page
    .locator('[data-testid^=preset-host-]')
    .evaluateAll((list) => list.map((entry) => entry.dataset.testid.slice('preset-'.length)));
  assert.ok(slugs.length >= 19);
  for (const slug of slugs) {
    await page.getByTestId(`preset-${slug}`).click();
    await page.locator('.preset.current').getByTestId(`preset-${slug}`).waitFor();
    await page.locator('[data-page=host][data-phase=ready]').waitFor({ timeout: 60_000 });
    await press(page, 'Space');
    await page.waitForFunction(() => Number(document.querySelector('[data-testid=time]').dataset.ps) > 0);
    await press(page, 'Space');
    for (const name of ['tables', 'flows', 'charts']) await tab(page, name);
    await page.getByTestId('time-bar').fill('0');
    await page.waitForFunction(() => Number(document.querySelector('[data-testid=time]').dataset.ps) === 0);
    const lines = (await page.locator('body').innerText()).split('\n');
    assert.deepEqual(lines.filter((line) => /\bNaN\b|\bundefined\b|\bInfinity\b|\binf\b/.test(line)), [], slug);
    assert.equal(await page.locator('.notice').count(), 0, slug);
  }
});
