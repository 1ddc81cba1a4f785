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
  const headers = await page.getByTestId('header').locator('summary strong').allTextContents();
  for (const name of ['Ethernet', 'BTH']) assert.ok(headers.includes(name), headers.join());
  assert.match(await page.getByTestId('hex').textContent(), /^0000[0-9a-f]{16}/);
  const path = page.getByTestId('path').locator('li');
  assert.equal(await path.count(), 5, 'NIC, T0, T1, T0, NIC');
  assert.equal(await page.getByTestId('path').locator('[aria-current=step]').count(), 1);

  await press(page, 'Space');
  await page.getByTestId('packet-gone').waitFor();
  assert.equal(await page.getByTestId('subject').textContent(), title, 'what was seen last is kept');
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
