// Looking into things: packets, links, NICs, QPs; finding them; large networks; keys.

import assert from 'node:assert/strict';
import test from 'node:test';
import { find, openRun, place, press, reach } from './stage.mjs';

test('a packet clicked on the stage shows its headers, bytes and path', async (t) => {
  const page = await openRun(t);
  await press(page, 'Space');
  await reach(page, 5);
  await press(page, 'n');
  await page.getByTestId('headers').waitFor();
  const title = await page.getByTestId('subject').textContent();
  // Where many links meet, packets lie on top of each other: look closer, as a user would.
  for (let i = 0; i < 4; i++) await press(page, '+');
  const { x, y } = await place(page);
  await press(page, 'Escape');
  await page.getByTestId('nothing-selected').waitFor();

  await page.mouse.click(x, y);
  await page.getByTestId('headers').waitFor();
  assert.equal(await page.getByTestId('subject').textContent(), title);
  const headers = await page.getByTestId('header').evaluateAll((all) => all.map((one) => one.dataset.header));
  for (const name of ['Ethernet', 'BTH']) assert.ok(headers.includes(name), headers.join());
  assert.match(await page.getByTestId('hex').textContent(), /^0000[0-9a-f]{16}/);
  const path = page.getByTestId('path').locator('li');
  assert.equal(await path.count(), 5, 'NIC, T0, T1, T0, NIC');
  assert.equal(await page.getByTestId('path').locator('[aria-current=step]').count(), 1);

  await press(page, 'Space');
  await page.getByTestId('packet-gone').waitFor();
  assert.equal(await page.getByTestId('subject').textContent(), title, 'what was seen last is kept');
});

/** A data packet on its second link or later, looked into. */
async function dataPacket(t) {
  const page = await openRun(t);
  await press(page, 'Space');
  await reach(page, 5);
  await press(page, 'Space');
  await page.locator('[data-testid=play][aria-label=Play]').waitFor();
  for (let i = 0; i < 200; i++) {
    await press(page, 'n');
    await page.getByTestId('headers').waitFor();
    const hop = await page.getByTestId('path').locator('.done').count();
    if (hop >= 2 && (await page.locator('[data-header=RETH]').count()) === 1) return page;
  }
  assert.fail('among 200 packets one is data behind its first switch');
}

test('a field lights exactly its bits, and is walked to by keys', async (t) => {
  const page = await dataPacket(t);
  const tree = page.getByTestId('headers');
  await tree.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  // Ethernet's first field: six whole bytes (IEEE 802.3).
  assert.equal(await page.locator('.tree-line.current').getAttribute('data-field'), 'dst');
  const lit = () => page.locator('.byte.lit').evaluateAll((all) => all.map((byte) => Number(byte.dataset.at)));
  assert.deepEqual(await lit(), [0, 1, 2, 3, 4, 5]);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await page.locator('[data-header=Ethernet]').getAttribute('aria-expanded'), 'false');

  // The outer DSCP is six bits over two bytes: byte 14's last four and byte 15's first two (RFC 8200, RFC 2474).
  await page.locator('[data-header="Outer IPv6"] > .tree-line').click();
  await page.locator('[data-header="Outer IPv6"] [data-field=dscp]').click();
  assert.deepEqual(await lit(), [], 'no byte as a whole');
  const parts = await page.locator('.byte.part').evaluateAll((all) => all.map((byte) => {
    const bar = byte.querySelector('rect');
    return [Number(byte.dataset.at), bar.getAttribute('x'), bar.getAttribute('width')];
  }));
  assert.deepEqual(parts, [[14, '4', '4'], [15, '0', '2']]);
  assert.match(await page.getByTestId('bit-line').textContent(), /^\.{4} [01]{4} [01]{2}\.\. \.{4} = 4 TRIMMABLE$/);
  await page.getByTestId('bytes-bits').click();
  const digits = await page.locator('.byte .lit').allTextContents();
  assert.deepEqual(digits.map((text) => text.length), [4, 2], 'bit by bit as well');
  await page.getByTestId('bytes-hex').click();

  // A byte leads to its field, and again to the next one in it.
  await page.locator('.byte[data-at="15"]').click();
  const fields = [];
  for (let i = 0; i < 2; i++) {
    fields.push(await page.locator('.tree-line.current').getAttribute('data-field'));
    await page.locator('.byte[data-at="15"]').click();
  }
  assert.deepEqual(fields.sort(), ['ecn', 'flow_label']);
  await page.mouse.move(5, 5);
  assert.match(await page.getByTestId('field-source').textContent(), /RFC|MRC/);
});

test('a field becomes a filter of the events list', async (t) => {
  const page = await dataPacket(t);
  await page.locator('[data-header=BTH] [data-field=dest_qp]').click();
  const qp = await page.getByTestId('inspector').locator('dd button.link').first().textContent();
  await page.getByTestId('find-field').click();
  await page.getByTestId('event-filter').waitFor();
  assert.equal(await page.getByTestId('event-filter').inputValue(), `qp == ${qp}`);
  await page.getByTestId('events-count').filter({ hasText: 'match' }).waitFor();
});

test('each link of the path shows the address on it, and a past hop leads to its time', async (t) => {
  const page = await dataPacket(t);
  const addresses = page.getByTestId('address');
  assert.equal(await addresses.count(), 4, 'four links over one T1');
  const places = await addresses.evaluateAll((all) =>
    all.map((one) => [...one.querySelectorAll('.usid:not(.empty)')].map((place) => place.textContent)),
  );
  for (let hop = 1; hop < 4; hop++) assert.deepEqual(places[hop], places[hop - 1].slice(1), 'shifted by one place');
  assert.deepEqual(places.map((one) => one.length), [4, 3, 2, 1]);
  const first = page.getByTestId('hop-time').first();
  await first.waitFor();
  const title = await page.getByTestId('subject').textContent();
  const before = Number(await page.getByTestId('time').getAttribute('data-ps'));
  await first.click();
  await page.waitForFunction((then) => Number(document.querySelector('[data-testid=time]').dataset.ps) < then, before);
  await page.locator('[data-testid=path] li.current').filter({ has: page.locator('.usids') }).waitFor();
  assert.equal(await page.getByTestId('subject').textContent(), title, 'the same packet, at its first hop');
  assert.equal(await page.getByTestId('path').locator('.done').count(), 1, 'only the sender is behind it');
});

test('every number of the inspector says what it counts, in which unit, and by whose word', async (t) => {
  const page = await openRun(t);
  for (const name of ['p1/t0.3-t1.2', 'p3/t1.0', 'nic 12', 'qp3']) {
    await find(page, name);
    await page.getByTestId('inspector').getByTestId('explain').first().waitFor();
    const silent = await page.getByTestId('inspector').evaluate((inspector) =>
      [...inspector.querySelectorAll('dl.facts dt, .meter > span:first-child, table.ports th')]
        .filter((label) => label.textContent !== '' && !label.querySelector('button.explain'))
        .map((label) => label.textContent),
    );
    assert.deepEqual(silent, [], name);
  }
  const window = page.getByTestId('explain').filter({ hasText: /^window$/ });
  await window.focus();
  await page.keyboard.press('Enter');
  assert.match(await page.getByTestId('why').textContent(), /congestion window.*Unit: bytes on the wire.*NSCC, UET 1\.0/);
  assert.equal(await window.getAttribute('aria-expanded'), 'true');
  await page.keyboard.press('Enter');
  assert.equal(await page.getByTestId('why').count(), 0);
});

test('a packet clicked while playing pauses the run', async (t) => {
  const page = await openRun(t);
  await page.getByTestId('speed').fill('6');
  await press(page, 'Space');
  await page.locator('[data-testid=play][aria-label=Pause]').waitFor();
  await page.waitForFunction(
    () => Number(document.querySelector('[data-testid=in-flight]').textContent.replaceAll(/\D/g, '')) > 50,
  );
  await press(page, 'n');
  await page.locator('[data-testid=play][aria-label=Play]').waitFor();
  await page.getByTestId('headers').waitFor();
});

test('links, switches, NICs and QPs are found by name', async (t) => {
  const page = await openRun(t);
  const subject = page.getByTestId('subject');
  for (const [text, name] of [
    ['p1/t0.3-t1.2', 'p1/t0.3-t1.2'],
    ['p0/n15', 'p0/n15'],
    ['P3/T1.0', 'p3/t1.0'],
    ['nic 12', '12'],
    ['qp3', '3'],
  ]) {
    await find(page, text);
    await subject.filter({ hasText: new RegExp(`^${name.replaceAll('.', '\\.')}$`) }).waitFor();
  }
  await find(page, 'p0/n16');
  await page.locator('#find-problem').filter({ hasText: 'NIC 16 is not there' }).waitFor();
  await find(page, 'nonsense');
  await page.locator('#find-problem').filter({ hasText: 'expected a link' }).waitFor();
});

test('what is clicked on the stage is what its name finds', async (t) => {
  const page = await openRun(t);
  for (const name of ['p0/t0.2', 'p3/t1.1', 'p2/t0.3-t1.3', 'p1/n9']) {
    await find(page, name);
    await page.getByTestId('subject').filter({ hasText: name }).waitFor();
    const { x, y } = await place(page);
    await press(page, 'Escape');
    await page.getByTestId('nothing-selected').waitFor();
    await page.mouse.click(x, y);
    await page.getByTestId('subject').filter({ hasText: name }).waitFor();
  }
});

test('the stage is magnified by wheel, moved by dragging, and shown whole again', async (t) => {
  const page = await openRun(t);
  await find(page, 'p1/t1.1');
  await page.getByTestId('subject').filter({ hasText: 'p1/t1.1' }).waitFor();
  const before = await page.getByTestId('locator').boundingBox();
  const { x, y } = await place(page);
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -300);
  await page.waitForFunction((width) => document.querySelector('[data-testid=locator]').offsetWidth > width * 1.7, before.width);
  const larger = await place(page);
  assert.ok(Math.hypot(larger.x - x, larger.y - y) < 3, 'what is under the pointer stays there');
  await page.mouse.down();
  await page.mouse.move(x - 60, y + 10, { steps: 5 });
  await page.mouse.up();
  const moved = await place(page);
  assert.ok(Math.abs(moved.x - larger.x + 60) < 3, `${moved.x} ${larger.x}`);
  await page.getByTestId('zoom-reset').click();
  const after = await page.getByTestId('locator').boundingBox();
  assert.ok(Math.abs(after.x - before.x) < 1 && Math.abs(after.width - before.width) < 1);
});

test('a fabric of many links is drawn in groups, and says so', async (t) => {
  const scenario = {
    version: 1,
    until: '50us',
    fabric: { planes: 4, t0_per_plane: 32, t1_per_plane: 32, nics_per_t0: 32, nic_link_rate: '100Gbps' },
    traffic: [{ kind: 'permutation', shift: 32, bytes: '64KiB' }],
  };
  const page = await openRun(t);
  await page.getByTestId('file-input').setInputFiles({
    name: 'large.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(scenario)),
  });
  await page.getByTestId('grouped').waitFor();
  assert.match(await page.getByTestId('grouped').getAttribute('title'), /16 groups of T0s and 8 of T1s/);
  await find(page, 'p3/t0.31-t1.31');
  await page.getByTestId('toggle-fault').click();
  await page.getByTestId('state').filter({ hasText: 'down' }).waitFor();
  const { x, y } = await place(page);
  await page.mouse.click(x, y);
  await page.getByTestId('subject').filter({ hasText: 'p3: T0 30–31 to T1 28–31' }).waitFor();
});

test('light and dark', async (t) => {
  const page = await openRun(t);
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await background();
  assert.notEqual(dark, light);
  await page.getByTestId('theme').click();
  assert.equal(await background(), light, 'the first click chooses light');
  await page.reload();
  assert.equal(await background(), light, 'the choice is remembered, from the first moment');
});
