// Fabrics side by side: one clock, the same faults, a cursor over all charts, and one link.

import assert from 'node:assert/strict';
import test from 'node:test';
import { deflateSync } from 'node:zlib';
import { openPage, startBrowser, url } from './browser.mjs';
import { openRun, ready, timePs } from './stage.mjs';

/** 16 NICs, an MRC run of some hundred µs, and the same with RoCE over ECMP. */
const MRC = {
  version: 1,
  name: 'By MRC',
  until: '4ms',
  fabric: { planes: 1, t0_per_plane: 4, t1_per_plane: 4, nics_per_t0: 4, nic_link_rate: '100Gbps' },
  traffic: [{ kind: 'permutation', shift: 4, bytes: '2MB' }],
};
const ROCE = {
  ...MRC,
  name: 'By RoCE',
  fabric: { ...MRC.fabric, routing: 'ecmp', pfc: {} },
  transport: { protocol: 'roce' },
};

/** The link of a comparison, packed by another zlib than the page's. */
function linkOf(...scenarios) {
  const lines = scenarios.map((scenario) => JSON.stringify(scenario)).join('\n');
  return `c=1.${deflateSync(lines).toString('base64url')}`;
}

/** The simulated times of all runs in ps. */
async function times(page) {
  return page.getByTestId('pane-time').evaluateAll((all) => all.map((one) => Number(one.dataset.ps)));
}

/** Runs all to their ends. */
async function finish(page) {
  await page.getByTestId('run-to-end').click();
  await page.waitForFunction(
    () => [...document.querySelectorAll('[data-testid=pane-time]')].every((one) => one.dataset.over === 'true'),
    undefined,
    { timeout: 120_000 },
  );
}

/** The value of run `letter` in a line of the table. */
async function result(page, slug, column) {
  await page.getByTestId(`result-${slug}`).waitFor();
  return page.getByTestId(`result-${slug}`).locator('td').nth(column).textContent();
}

test('two runs have one clock; the cursor says the values of both', async (t) => {
  const page = await openRun(t, `#${linkOf(MRC, ROCE)}`);
  assert.deepEqual(await page.getByTestId('pane-title').allTextContents(), ['By MRC', 'By RoCE']);
  await page.getByTestId('differences').locator('summary').click();
  assert.match(await page.getByTestId('differences').textContent(), /transport\.protocolmrcroce/);
  assert.equal(await page.getByTestId('unfair').count(), 0, 'traffic, faults and seed are the same');

  await page.evaluate(() => {
    window.apart = 0;
    const look = () => {
      const [a, b] = [...document.querySelectorAll('[data-testid=pane-time]')].map((one) => Number(one.dataset.ps));
      window.apart = Math.max(window.apart, Math.abs(a - b));
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.getByTestId('speed').fill('13');
  await page.keyboard.press('Escape');
  await page.getByTestId('play').click();
  await page.waitForFunction(() => Number(document.querySelector('[data-testid=time]').dataset.ps) > 40e6, undefined, { timeout: 120_000 });
  await page.getByTestId('play').click();
  await page.waitForFunction(() => {
    const [a, b] = [...document.querySelectorAll('[data-testid=pane-time]')].map((one) => Number(one.dataset.ps));
    return a === b;
  });
  const [a, b] = await times(page);
  assert.equal(a, b);
  assert.equal(await timePs(page), a);
  // No more than a slice lies between them: at 20 µs/s, of which a frame counts a second at most, 20 µs.
  const apart = await page.evaluate(() => window.apart);
  assert.ok(apart <= 20e6, `${apart} ps apart`);

  await page.getByTestId('step').click();
  await page.waitForFunction((before) => {
    const [a, b] = [...document.querySelectorAll('[data-testid=pane-time]')].map((one) => Number(one.dataset.ps));
    return a === b && document.querySelector('[data-testid=step-text]').textContent.startsWith('A: ');
  }, a);

  const plots = page.getByTestId('plots');
  await plots.scrollIntoViewIfNeeded();
  const box = await plots.boundingBox();
  await page.mouse.move(box.x + box.width * 0.3, box.y + 20);
  const values = page.getByTestId('values-goodput');
  await values.locator('[data-run=B] .more').filter({ hasText: /[+−]/ }).waitFor();
  assert.match(await values.locator('[data-run=A]').textContent(), /b\/s/);
  assert.match(await page.getByTestId('cursor-time').textContent(), /µs/);
  // By the keyboard as well.
  await page.mouse.move(5, 5);
  await plots.focus();
  const before = await plots.getAttribute('aria-valuenow');
  await page.keyboard.press('Home');
  assert.equal(await plots.getAttribute('aria-valuenow'), '0');
  assert.notEqual(before, '0');
  assert.match(await plots.getAttribute('aria-valuetext'), /A .*b\/s, B .*b\/s/);
});

test('what breaks in one run breaks in both; the address repeats it', async (t) => {
  const page = await openRun(t, `#${linkOf(MRC, ROCE)}`);
  await page.getByTestId('speed').fill('13');
  await page.keyboard.press('Escape');
  await page.getByTestId('play').click();
  await page.waitForFunction(() => Number(document.querySelector('[data-testid=time]').dataset.ps) > 15e6, undefined, { timeout: 120_000 });
  const hash = await page.evaluate(() => location.hash);
  // Beside everything: the menu for the whole fabric.
  const stage = page.getByTestId('pane-B').getByTestId('stage-canvas');
  await stage.click({ button: 'right', position: { x: 3, y: 3 } });
  await page.getByTestId('menu-kind').selectOption('tier_loss');
  await page.getByTestId('menu-do').click();
  await page.getByTestId('announcement').filter({ hasText: 'in all runs' }).waitFor();
  await page.waitForFunction((old) => location.hash !== old, hash);
  await finish(page);
  const digests = () => Promise.all(['time', 'drops', 'retransmissions'].flatMap((slug) => [0, 1].map((run) => result(page, slug, run))));
  const first = await digests();
  assert.match(first[2], /[1-9]/, 'losses in A');
  assert.match(first[3], /[1-9]/, 'losses in B');
  await page.getByTestId('distribution-fct').waitFor();
  // Both are over and nothing is pointed at: the charts say their means, as the panes do, and times have one unit.
  const means = await page.getByTestId('pane-goodput').allTextContents();
  for (const [run, mean] of [['A', means[0]], ['B', means[1]]]) {
    const line = page.getByTestId('values-goodput').locator(`[data-run=${run}]`).filter({ hasText: mean });
    await line.locator('.more').filter({ hasText: 'mean' }).waitFor();
  }
  const units = (await page.getByTestId('pane-time').allTextContents()).map((text) => text.split(' ').at(-1));
  assert.equal(units[0], units[1]);

  await page.reload();
  await ready(page);
  await page.getByTestId('differences').locator('summary').click();
  assert.doesNotMatch(await page.getByTestId('differences').textContent(), /faults\[/, 'the same fault at the same time');
  await finish(page);
  assert.deepEqual(await digests(), first);
});

test('a fault that one run has no place for is said to be missing there', async (t) => {
  const other = { ...MRC, name: 'Fewer T1s', fabric: { ...MRC.fabric, t1_per_plane: 2 } };
  const page = await openRun(t, `#${linkOf(MRC, other)}`);
  const box = await page.getByTestId('pane-A').getByTestId('stage-canvas').boundingBox();
  await page.getByTestId('tool-break').click();
  // T1s are at the top: the last of them is not in B.
  let hit;
  for (let share = 0.98; share > 0.5 && !hit; share -= 0.01) {
    for (const height of [0.1, 0.15, 0.2, 0.25]) {
      await page.mouse.move(box.x + box.width * share, box.y + box.height * height);
      const tip = page.getByTestId('pane-A').getByTestId('tip');
      if ((await tip.isVisible()) && /^T1 3/.test(await tip.textContent())) {
        hit = { x: box.x + box.width * share, y: box.y + box.height * height };
        break;
      }
    }
  }
  assert.ok(hit, 'T1 3 is found under the pointer');
  await page.mouse.click(hit.x, hit.y);
  await page.getByTestId('notice').filter({ hasText: 'not in all runs' }).filter({ hasText: 'Not in run B' }).waitFor();
});

test('from a preset to a comparison and back; a run alone; a third run', async (t) => {
  const page = await openRun(t, '#preset/roce-t1-dies');
  await page.getByTestId('compare').click();
  await page.getByTestId('counterpart-mrc').click();
  await page.locator('[data-testid=app][data-runs="2"][data-phase=ready]').waitFor();
  assert.match(await page.evaluate(() => location.hash), /^#c=1\./);
  await page.goBack();
  await page.getByTestId('scenario-name').filter({ hasText: /^RoCE: a T1 dies and routing converges$/ }).waitFor();
  await page.goForward();
  await page.locator('[data-testid=app][data-runs="2"][data-phase=ready]').waitFor();

  await page.getByTestId('compare').click();
  await page.getByTestId('compare-preset').selectOption('incast');
  await page.getByTestId('compare-with-preset').click();
  await page.locator('[data-testid=app][data-runs="3"][data-phase=ready]').waitFor();
  await page.getByTestId('unfair').filter({ hasText: 'other amounts to send' }).waitFor();
  await page.getByTestId('seed').fill('77');
  await page.getByTestId('seed').press('Enter');
  await page.locator('[data-testid=app][data-runs="3"][data-phase=ready]').waitFor();
  await page.getByTestId('pane-C').getByTestId('remove').click();
  await page.locator('[data-testid=app][data-runs="2"]').waitFor();
  await page.getByTestId('pane-B').getByTestId('alone').click();
  await page.getByTestId('scenario-name').filter({ hasText: /, with MRC$/ }).waitFor();
  await ready(page);
  assert.equal(await page.getByTestId('seed').inputValue(), '77');
});

test('a setting can be compared with another value, and what is wrong with it is said', async (t) => {
  const page = await openRun(t, '#preset/link-dies');
  await page.getByTestId('compare').click();
  await page.getByTestId('compare-path').selectOption('transport.evs');
  await page.getByTestId('compare-value').fill('many');
  await page.getByTestId('compare-change').click();
  await page.getByTestId('compare-problem').filter({ hasText: 'evs' }).waitFor();
  await page.getByTestId('compare-value').fill('64');
  await page.getByTestId('compare-change').click();
  await page.locator('[data-testid=app][data-runs="2"][data-phase=ready]').waitFor();
  await page.getByTestId('differences').filter({ hasText: 'One field differs: transport.evs' }).waitFor();
});

test('the link of a comparison can be copied, and links of presets work', async (t) => {
  const context = await startBrowser(t, { context: { permissions: ['clipboard-read', 'clipboard-write'] } });
  const page = await context.newPage();
  await page.goto(`${url}#c=preset/link-dies,incast&seed=5`);
  await page.locator('[data-testid=app][data-runs="2"][data-phase=ready]').waitFor();
  assert.equal(await page.getByTestId('seed').inputValue(), '5');
  await page.getByTestId('share').click();
  await page.getByTestId('share-status').filter({ hasText: 'Copied' }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(link.startsWith(`${url}#c=1.`), link);
  assert.ok(link.length < 2000, `${link.length} characters`);
});

test('links of comparisons that are wrong say what is wrong', async (t) => {
  const page = await openPage(t, '#c=1.AAAA');
  await page.getByTestId('notice').filter({ hasText: 'holds no comparison' }).waitFor();
  for (const [hash, reason] of [
    ['#c=preset/link-dies,nope', 'scenario 2 of the comparison: there is no preset "nope"'],
    ['#c=preset/host-latency,incast', 'a comparison takes fabrics'],
    [`#${linkOf(MRC)}`, 'the comparison has 1 scenario; expected 2 to 4'],
    ['#c=2.abc', 'a newer Flowglass is needed'],
  ]) {
    await page.goto(url + hash);
    await page.getByTestId('notice').filter({ hasText: reason }).waitFor();
  }
});

test('what was said of a bad link goes when another link opens', async (t) => {
  const page = await openRun(t, `#${linkOf(MRC, ROCE)}`);
  const go = (hash) => page.evaluate((hash) => {
    location.hash = hash;
  }, hash);
  await go('#c=preset/nope');
  await page.getByTestId('notice').filter({ hasText: 'no preset "nope"' }).waitFor();
  await go('#c=preset/link-dies,incast');
  await page.getByTestId('pane-title').filter({ hasText: 'Seven to one' }).waitFor();
  assert.equal(await page.getByTestId('notice').count(), 0);
});

test('pauses of PFC have a chart and lines in the table', async (t) => {
  const page = await openRun(t, '#c=preset/roce-pfc-incast,incast');
  await page.getByTestId('run-to-end').click();
  await page.locator('[data-testid=play][aria-label=Play]:disabled').waitFor({ timeout: 120_000 });
  await page.getByTestId('values-pauses').filter({ hasText: /A\D*[1-9]/ }).waitFor();
  assert.match(await page.getByTestId('result-pauses').textContent(), /^PAUSE frames[1-9]/);
  assert.match(await page.getByTestId('result-paused').textContent(), /^paused in all[1-9]/);
});

test('three and four runs have room, wide and narrow', async (t) => {
  const page = await openRun(t, `#${linkOf(MRC, ROCE, { ...MRC, name: 'Third', seed: 2 }, { ...ROCE, name: 'Fourth', seed: 2 })}`);
  for (const width of [390, 768, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    for (const letter of 'ABCD') {
      const box = await page.getByTestId(`pane-${letter}`).getByTestId('stage').boundingBox();
      assert.ok(box.width > 150 && box.height > 120, `${letter} at ${width}: ${box.width} × ${box.height}`);
    }
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(beyond, 0, `nothing lies beyond the window at ${width}`);
    assert.ok(await page.getByTestId('play').isVisible());
  }
  await finish(page);
  assert.equal(await page.getByTestId('results').locator('thead th').count(), 4 + 6);
});
