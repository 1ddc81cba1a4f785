// Every key that the sheet of keys lists does what it says, on each page. The sheet is made from the table that the page obeys: a key
// that is in the table and not here fails the test, and so does one that is here and not in the table.

import assert from 'node:assert/strict';
import test from 'node:test';
import { find, openRun, reach, ready, timePs } from './stage.mjs';

/** What has the focus when a key of a place is pressed. */
const FOCUS = {
  anywhere: '[data-testid=stage-canvas]',
  stage: '[data-testid=stage-canvas]',
  timeline: '[data-testid=timeline-plots]',
  strip: '[data-testid=timeline-overview]',
  faults: '[data-testid=lane-fault][tabindex="0"]',
  story: '[data-testid=story]',
  events: '[data-testid=event-list]',
  headers: '[data-testid=headers]',
  chart: '.chart-plot',
  charts: '[data-testid=plots]',
};

/** No camera on its way. */
const CALM = { context: { reducedMotion: 'reduce' } };

/** As Playwright spells a key of the table: letters without Shift are small. */
function spelled(key) {
  const name = key.replace('Ctrl', 'Control');
  return /(^|Control\+)[A-Z]$/.test(name) ? name.slice(0, -1) + name.slice(-1).toLowerCase() : name;
}

/** What the sheet lists, as `place key`. */
async function sheet(page) {
  await page.getByTestId('stage-canvas').first().focus();
  await page.keyboard.press('?');
  await page.getByTestId('help-dialog').waitFor();
  const keys = await page.locator('[data-place]').evaluateAll((lists) =>
    lists.flatMap((list) => [...list.querySelectorAll('[data-testid=key]')].flatMap((line) => line.dataset.keys.split(' ').map((key) => `${list.dataset.place} ${key}`))),
  );
  await page.keyboard.press('Escape');
  await page.getByTestId('help-dialog').waitFor({ state: 'detached' });
  return keys;
}

/** Presses each key and checks what comes of it; then that these are all that the sheet lists. */
async function walk(page, works) {
  const listed = await sheet(page);
  const pressed = [];
  for (const [place, keys, check] of works) {
    for (const key of [keys].flat()) {
      pressed.push(`${place} ${key}`);
      const press = async () => {
        await page.locator(FOCUS[place]).first().focus();
        await page.keyboard.press(spelled(key));
      };
      try {
        await check(page, press);
      } catch (error) {
        throw new Error(`${place} ${key}: ${error.message}`, { cause: error });
      }
    }
  }
  assert.deepEqual(pressed.toSorted(), listed.toSorted());
}

/** Presses, and waits until `read` says something else; what it said before and what it says then. */
async function changes(press, read) {
  const before = await read();
  await press();
  const end = Date.now() + 20_000;
  for (;;) {
    const after = await read();
    if (JSON.stringify(after) !== JSON.stringify(before)) return [before, after];
    assert.ok(Date.now() < end, `nothing changes: ${JSON.stringify(before)}`);
    await new Promise((done) => setTimeout(done, 30));
  }
}

const time = (page) => () => timePs(page);
const events = (page) => async () => Number((await page.getByTestId('events').textContent()).replaceAll(/\D/g, ''));
const said = (page) => () => page.getByTestId('announcement').textContent();
const subject = (page) => async () => ((await page.getByTestId('subject').count()) ? page.getByTestId('subject').first().textContent() : null);
const extent = (page) => () => page.getByTestId('timeline-plots').evaluate(({ dataset }) => [Number(dataset.from), Number(dataset.to)]);
const isHere = (page, name) => async () => (await page.getByTestId(name).count()) > 0;
const isPressed = (page, name) => () => page.getByTestId(name).getAttribute('aria-pressed');
const spot = (page) => async () => {
  const { x, y } = await page.getByTestId('locator').boundingBox();
  return { x: Math.round(x), y: Math.round(y) };
};

/** Time goes one way. */
const goes = (sign) => async (page, press) => {
  const [before, after] = await changes(press, time(page));
  assert.equal(Math.sign(after - before), sign, `from ${before} to ${after} ps`);
};
/** Something is there, and by the same key it is gone again. */
const opens = (read) => async (page, press) => {
  const [, first] = await changes(press, read(page));
  const [, second] = await changes(press, read(page));
  assert.notEqual(first, second);
};
const playsAndPauses = opens((page) => () => page.getByTestId('play').getAttribute('aria-label'));
/** The speed goes up or down by a step of the scale. */
const speed = (by) => async (page, press) => {
  const [before, after] = await changes(press, () => page.getByTestId('speed').inputValue());
  assert.equal(Number(after) - Number(before), by);
};
const toTheEnd = async (page, press) => {
  await press();
  await page.locator('[data-testid=play][aria-label=Play]:disabled').waitFor({ timeout: 60_000 });
};
const restarts = async (page, press) => {
  await press();
  await page.locator('[data-testid=time][data-ps="0"]').waitFor();
  await ready(page);
};
/** The next of a kind is another, with a name like this. */
/** A seed is an edit that both pages have. */
const UNDO_AND_REDO = [
  ['anywhere', 'Ctrl+Z', async (page, press) => {
    await page.getByTestId('seed').fill('5');
    await page.getByTestId('seed').press('Enter');
    await ready(page);
    const [, after] = await changes(press, () => page.getByTestId('seed').inputValue());
    assert.equal(after, '1');
    await ready(page);
  }],
  ['anywhere', ['Ctrl+Shift+Z', 'Ctrl+Y'], async (page, press) => {
    const [, after] = await changes(press, () => page.getByTestId('seed').inputValue());
    assert.equal(after, '5');
    await ready(page);
    await page.getByTestId('stage-canvas').focus();
    await page.keyboard.press('Control+z');
    await page.waitForFunction(() => document.querySelector('[data-testid=seed]').value === '1');
    await ready(page);
  }],
];
const selects = (like) => async (page, press) => {
  const [before] = await changes(press, subject(page));
  // The inspector may be empty for a moment.
  const end = Date.now() + 10_000;
  while (!like.test(await subject(page)()) && Date.now() < end) await page.waitForTimeout(30);
  assert.match(await subject(page)(), like, `after ${before}`);
};
/** The camera moves: what is selected is then elsewhere. */
const looks = (x, y) => async (page, press) => {
  const [before] = await changes(press, spot(page));
  // Looking to the right, things go to the left: by so many pixels, less what rounding makes of it.
  await page.waitForTimeout(200);
  const after = await spot(page)();
  const steps = [after.x - before.x, after.y - before.y].map((by) => Math.round(by / 60) + 0);
  assert.deepEqual(steps, [0 - x, 0 - y]);
};
const shows = (longer) => async (page, press) => {
  const [before, after] = await changes(press, extent(page));
  assert.equal(Math.sign(after[1] - after[0] - (before[1] - before[0])), longer, `${before} to ${after}`);
};
const pans = (sign) => async (page, press) => {
  const [before, after] = await changes(press, extent(page));
  assert.equal(Math.sign(after[0] - before[0]), sign, `${before} to ${after}`);
};
const helps = async (page, press) => {
  await press();
  await page.getByTestId('help-dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByTestId('help-dialog').waitFor({ state: 'detached' });
};
/** What the first stage looks like. */
const picture = (page) => page.evaluate(async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const text = [...document.querySelector('[data-testid=stage]').querySelectorAll('canvas')].map((canvas) => canvas.toDataURL()).join();
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].join();
});
/** The cursor of the first chart goes to the right, or to the left. */
const cursor = (sign) => async (page, press) => {
  const at = async () => Number(await page.locator(FOCUS.chart).first().getAttribute('aria-valuenow'));
  const [before, after] = await changes(press, at);
  assert.equal(Math.sign(after - before), sign, `${before} to ${after}`);
};
/** A chart has no cursor before: the keys go from its end to its beginning and back. */
const ON_A_CHART = [
  ['chart', 'End', cursor(1)],
  ['chart', 'ArrowLeft', cursor(-1)],
  ['chart', 'ArrowRight', cursor(1)],
  ['chart', ['Shift+ArrowLeft', 'PageDown'], cursor(-1)],
  ['chart', ['Shift+ArrowRight', 'PageUp'], cursor(1)],
  ['chart', 'ArrowDown', cursor(-1)],
  ['chart', 'ArrowUp', cursor(1)],
  ['chart', 'Home', cursor(-1)],
  ['chart', 'Escape', async (page, press) => {
    await page.keyboard.press('ArrowRight');
    const [, after] = await changes(press, () => page.locator(FOCUS.chart).first().getAttribute('aria-valuenow'));
    assert.equal(after, '0');
  }],
];
/** From and to of the fault that has the focus. */
const fault = (page) => () => page.locator(FOCUS.faults).evaluate(({ dataset }) => [Number(dataset.from), Number(dataset.to)]);
/** The line of the header tree that the cursor is on. */
const line = (page) => () => page.getByTestId('headers').getAttribute('aria-activedescendant');
const stepOfStory = (to) => async (page, press) => {
  await press();
  await page.locator(`[data-testid=story][data-step="${to}"]`).waitFor();
  await ready(page);
};
const row = (to) => async (page, press) => {
  const current = () => page.getByTestId('event-list').getAttribute('aria-activedescendant');
  const [before, after] = await changes(press, current);
  to(Number(before?.slice('event-'.length) ?? -1), Number(after.slice('event-'.length)));
};

test('the fabric page', async (t) => {
  const page = await openRun(t, '#preset/link-dies', CALM);
  const atHome = () => page.getByTestId('zoom-reset').isDisabled();
  await walk(page, [
    ['anywhere', '?', helps],
    ['anywhere', 'N', async (page, press) => {
      await page.getByTestId('speed').fill('14');
      await page.getByTestId('play').click();
      await reach(page, 20);
      await page.getByTestId('play').click();
      await press();
      await page.getByTestId('headers').waitFor();
    }],
    ['anywhere', '.', async (page, press) => {
      const [before, after] = await changes(press, events(page));
      assert.equal(after - before, 1);
    }],
    ['anywhere', ',', async (page, press) => {
      const [before, after] = await changes(press, events(page));
      assert.equal(after - before, -1);
    }],
    ['anywhere', 'Space', playsAndPauses],
    ['anywhere', ['['], speed(-1)],
    ['anywhere', [']'], speed(1)],
    ['anywhere', 'Q', selects(/^QP \d+|^\d+/)],
    ['anywhere', 'Shift+Q', selects(/^QP \d+|^\d+/)],
    ['anywhere', 'S', selects(/^p0\/t0\.0$/)],
    ['anywhere', 'Shift+S', selects(/^p3\/t1\.\d+$/)],
    // The first link of the switch that is selected.
    ['anywhere', 'L', selects(/^p3\/t0\.0-t1\.\d+$/)],
    ['anywhere', 'Shift+L', selects(/^p3\//)],
    ['anywhere', 'I', selects(/\d+/)],
    ['anywhere', 'Shift+I', selects(/\d+/)],
    ['anywhere', '/', async (page, press) => {
      await press();
      assert.equal(await page.evaluate(() => document.activeElement.id), 'find');
      await page.keyboard.type('p0/t0.1-t1.2');
      await page.keyboard.press('Enter');
      await page.getByTestId('subject').filter({ hasText: 'p0/t0.1-t1.2' }).waitFor();
    }],
    ['anywhere', 'X', async (page, press) => {
      await press();
      await page.getByTestId('fault').filter({ hasText: 'p0/t0.1-t1.2 down' }).waitFor();
      await press();
      await page.getByTestId('fault').filter({ hasText: 'p0/t0.1-t1.2 up' }).waitFor();
    }],
    ['anywhere', 'M', async (page, press) => {
      await press();
      await page.getByTestId('break-menu').waitFor();
      await page.keyboard.press('Escape');
      await page.getByTestId('break-menu').waitFor({ state: 'detached' });
    }],
    ['anywhere', 'B', opens((page) => isPressed(page, 'tool-break'))],
    ['anywhere', ['+', '='], async (page, press) => {
      if (!(await atHome())) await page.getByTestId('zoom-reset').click();
      const [home] = await changes(press, atHome);
      assert.equal(home, true);
    }],
    ['stage', 'ArrowLeft', async (page, press) => {
      // Somewhere in the middle, with room on all sides.
      await find(page, 'p2/t0.1');
      for (let times = 0; times < 2; times++) await page.getByTestId('zoom-in').click();
      await looks(-1, 0)(page, press);
    }],
    ['stage', 'ArrowRight', looks(1, 0)],
    ['stage', 'ArrowUp', looks(0, -1)],
    ['stage', 'ArrowDown', looks(0, 1)],
    ['anywhere', '-', async (page, press) => {
      for (let times = 0; times < 4; times++) await press();
      await page.locator('[data-testid=zoom-reset]:disabled').waitFor();
    }],
    ['anywhere', '0', async (page, press) => {
      await page.getByTestId('zoom-in').click();
      await page.locator('[data-testid=zoom-reset]:not(:disabled)').waitFor();
      await press();
      await page.locator('[data-testid=zoom-reset]:disabled').waitFor();
    }],
    ['anywhere', 'Shift+E', opens((page) => isHere(page, 'editor'))],
    // Faults by hand are no edits.
    ...UNDO_AND_REDO,
    ['anywhere', 'E', toTheEnd],
    ['anywhere', '<', goes(-1)],
    ['anywhere', '>', goes(1)],
    ['anywhere', 'Shift+B', async (page, press) => {
      const [, set] = await changes(press, said(page));
      assert.match(set, / set at /);
      const [, gone] = await changes(press, said(page));
      assert.match(gone, /taken away/);
    }],
    ['timeline', 'End', async (page, press) => {
      await press();
      await page.waitForFunction(() => document.querySelector('[data-testid=time]').dataset.ps === document.querySelector('#timeline-plots').dataset.known);
    }],
    ['timeline', 'ArrowLeft', goes(-1)],
    ['timeline', 'ArrowRight', goes(1)],
    ['timeline', 'Shift+ArrowLeft', goes(-1)],
    ['timeline', 'Shift+ArrowRight', goes(1)],
    ['timeline', 'Home', async (page, press) => {
      await press();
      await page.locator('[data-testid=time][data-ps="0"]').waitFor();
    }],
    ['timeline', ['+', '='], shows(-1)],
    ['timeline', '-', shows(1)],
    ['timeline', 'PageDown', pans(1)],
    ['timeline', 'PageUp', pans(-1)],
    ['strip', 'End', pans(1)],
    ['strip', 'ArrowLeft', pans(-1)],
    ['strip', 'ArrowRight', pans(1)],
    ['strip', 'PageUp', pans(-1)],
    ['strip', 'PageDown', pans(1)],
    ['strip', 'Home', async (page, press) => {
      const [, after] = await changes(press, extent(page));
      assert.equal(after[0], 0);
    }],
    ['timeline', '0', shows(1)],
    ['events', 'Home', async (page, press) => {
      await page.getByTestId('tab-events').click();
      await page.getByTestId('events-all').click();
      await page.getByTestId('event-row').first().waitFor();
      await row((_, after) => assert.equal(after, 0))(page, press);
    }],
    ['events', 'ArrowDown', row((before, after) => assert.equal(after, before + 1))],
    ['events', 'ArrowUp', row((before, after) => assert.equal(after, before - 1))],
    ['events', 'PageDown', row((before, after) => assert.ok(after > before + 1))],
    ['events', 'PageUp', row((before, after) => assert.ok(after < before - 1))],
    ['events', 'End', row((before, after) => assert.ok(after > before + 100))],
    ['events', 'Enter', async (page, press) => {
      const current = page.locator('.event-row.current');
      await current.waitFor();
      const ps = await current.getAttribute('data-ps');
      await press();
      await page.locator(`[data-testid=time][data-ps="${ps}"]`).waitFor();
    }],
    ['chart', 'End', async (page, press) => {
      await page.getByTestId('tab-charts').click();
      await page.locator(FOCUS.chart).first().waitFor();
      await cursor(1)(page, press);
    }],
    ...ON_A_CHART.slice(1),
    ['anywhere', 'R', restarts],
    ['faults', 'Shift+ArrowRight', async (page, press) => {
      await page.getByTestId('tab-timeline').click();
      const [before, after] = await changes(press, fault(page));
      assert.deepEqual([after[0] - before[0], Math.sign(after[1] - before[1])], [0, 1]);
    }],
    ['faults', 'Shift+ArrowLeft', async (page, press) => {
      const [before, after] = await changes(press, fault(page));
      assert.deepEqual([after[0] - before[0], Math.sign(after[1] - before[1])], [0, -1]);
    }],
    ['faults', 'ArrowRight', async (page, press) => {
      const [before, after] = await changes(press, fault(page));
      assert.ok(after[0] > before[0], `${before} to ${after}`);
    }],
    ['faults', 'ArrowLeft', async (page, press) => {
      const [before, after] = await changes(press, fault(page));
      assert.ok(after[0] < before[0], `${before} to ${after}`);
    }],
    ['faults', 'Space', async (page, press) => {
      await page.keyboard.press('Escape');
      await changes(press, () => page.locator(FOCUS.faults).getAttribute('aria-pressed'));
    }],
    ['faults', 'Enter', async (page, press) => {
      await press();
      await page.getByTestId('fault-card').waitFor();
      await page.keyboard.press('Escape');
      await page.getByTestId('fault-card').waitFor({ state: 'detached' });
    }],
    ['faults', 'ArrowDown', async (page, press) => {
      await find(page, 'p0/t0.1-t1.2');
      await page.getByTestId('stage-canvas').focus();
      for (let times = 0; times < 2; times++) {
        await page.keyboard.press('x');
        await page.getByTestId('lane-fault').nth(times + 1).waitFor();
      }
      await changes(press, () => page.evaluate(() => document.activeElement.id));
    }],
    ['faults', 'ArrowUp', async (page, press) => void (await changes(press, () => page.evaluate(() => document.activeElement.id)))],
    ['faults', ['Delete', 'Backspace'], async (page, press) => {
      const [before, after] = await changes(press, () => page.getByTestId('lane-fault').count());
      assert.equal(after, before - 1);
      await ready(page);
    }],
    ['headers', 'ArrowDown', async (page, press) => {
      await page.getByTestId('play').click();
      await reach(page, 20);
      await page.getByTestId('play').click();
      await page.getByTestId('stage-canvas').focus();
      await page.keyboard.press('n');
      await page.getByTestId('headers').waitFor();
      // Onto the first line, and to the second.
      for (let times = 0; times < 2; times++) await changes(press, line(page));
    }],
    ['headers', 'ArrowUp', async (page, press) => void (await changes(press, line(page)))],
    ['headers', 'End', async (page, press) => void (await changes(press, line(page)))],
    ['headers', 'Home', async (page, press) => void (await changes(press, line(page)))],
    ['headers', 'Enter', async (page, press) => {
      await changes(press, () => page.getByTestId('header').first().getAttribute('aria-expanded'));
    }],
    ['headers', 'ArrowRight', async (page, press) => {
      const first = () => page.getByTestId('header').first().getAttribute('aria-expanded');
      if ((await first()) === 'true') return void (await changes(press, line(page)));
      await changes(press, first);
      await changes(press, line(page));
    }],
    ['headers', 'ArrowLeft', async (page, press) => void (await changes(press, line(page)))],
    ['anywhere', 'Escape', async (page, press) => {
      const [, after] = await changes(press, subject(page));
      assert.equal(after, null);
    }],
    ['story', ['PageDown', 'ArrowRight'], async (page, press) => {
      await page.getByTestId('story-link-dies').click();
      await stepOfStory(1)(page, async () => {});
      await stepOfStory(2)(page, press);
    }],
    ['story', ['PageUp', 'ArrowLeft'], async (page, press) => {
      await page.getByTestId('story-next').click();
      const now = Number(await page.getByTestId('story').getAttribute('data-step'));
      await stepOfStory(now)(page, async () => {});
      await press();
      await page.waitForFunction((now) => Number(document.querySelector('[data-testid=story]').dataset.step) === now - 1, now);
    }],
    ['story', 'End', stepOfStory(6)],
    ['story', 'Home', stepOfStory(1)],
  ]);
});

test('the host page', async (t) => {
  const page = await openRun(t, '#preset/host-first-packet');
  await walk(page, [
    ['anywhere', '?', helps],
    ['anywhere', '.', async (page, press) => {
      const [before, after] = await changes(press, events(page));
      assert.equal(after - before, 1);
    }],
    ['anywhere', ',', async (page, press) => {
      const [before, after] = await changes(press, events(page));
      assert.equal(after - before, -1);
    }],
    ['anywhere', '[', speed(-1)],
    ['anywhere', ']', speed(1)],
    ['anywhere', 'N', async (page, press) => {
      // The run's first events: looks at the figures, and the application that opens the connection.
      for (let step = 0; step < 3; step++) await changes(() => page.keyboard.press('.'), events(page));
      await press();
      await page.getByTestId('packet').waitFor();
    }],
    ['anywhere', 'Escape', async (page, press) => {
      await press();
      await page.getByTestId('packet').waitFor({ state: 'detached' });
    }],
    ['anywhere', 'Space', playsAndPauses],
    // This run has no marks, and says so.
    ['anywhere', ['M', '<', '>'], async (page, press) => {
      const [, after] = await changes(press, said(page));
      assert.match(after, /^No mark is /);
    }],
    ['anywhere', 'Shift+E', opens((page) => isHere(page, 'editor'))],
    ...UNDO_AND_REDO,
    ['anywhere', 'E', toTheEnd],
    ['chart', 'End', async (page, press) => {
      await page.getByTestId('tab-charts').click();
      await page.locator(FOCUS.chart).first().waitFor();
      await cursor(1)(page, press);
    }],
    ...ON_A_CHART.slice(1),
    ['anywhere', 'R', restarts],
    ['story', ['PageDown', 'ArrowRight'], async (page, press) => {
      await page.getByTestId('story-first-packet').click();
      await stepOfStory(1)(page, async () => {});
      await stepOfStory(2)(page, press);
    }],
    ['story', ['PageUp', 'ArrowLeft'], async (page, press) => {
      await page.getByTestId('story-next').click();
      const now = Number(await page.getByTestId('story').getAttribute('data-step'));
      await stepOfStory(now)(page, async () => {});
      await press();
      await page.waitForFunction((now) => Number(document.querySelector('[data-testid=story]').dataset.step) === now - 1, now);
    }],
    ['story', 'End', stepOfStory(6)],
    ['story', 'Home', stepOfStory(1)],
  ]);
});

test('runs side by side', async (t) => {
  const page = await openRun(t, '#preset/roce-t1-dies', CALM);
  await page.getByTestId('compare').click();
  await page.getByTestId('counterpart-mrc').click();
  await page.locator('[data-testid=app][data-runs="2"][data-phase=ready]').waitFor({ timeout: 60_000 });
  const cursor = (page) => () => page.getByTestId('cursor-time').textContent();
  const network = () => picture(page);
  let whole;
  await walk(page, [
    ['anywhere', '?', helps],
    ['anywhere', '.', async (page, press) => {
      const [, text] = await changes(press, said(page));
      assert.match(text, /^A: /);
    }],
    ['anywhere', '[', speed(-1)],
    ['anywhere', ']', speed(1)],
    ['anywhere', 'B', opens((page) => isPressed(page, 'tool-break'))],
    ['anywhere', '+', async (page, press) => {
      [whole] = await changes(press, network);
    }],
    ['anywhere', '-', async (page, press) => {
      const [, after] = await changes(press, network);
      assert.equal(after, whole);
    }],
    ['anywhere', '=', async (page, press) => void (await changes(press, network))],
    ['anywhere', '0', async (page, press) => {
      const [, after] = await changes(press, network);
      assert.equal(after, whole);
    }],
    ['anywhere', 'Escape', async (page, press) => {
      await page.getByTestId('tool-break').click();
      const [, after] = await changes(press, isPressed(page, 'tool-break'));
      assert.equal(after, 'false');
    }],
    ['anywhere', 'Space', playsAndPauses],
    ['anywhere', 'E', toTheEnd],
    ['charts', 'Home', async (page, press) => void (await changes(press, cursor(page)))],
    ['charts', 'ArrowRight', async (page, press) => void (await changes(press, cursor(page)))],
    ['charts', 'PageUp', async (page, press) => void (await changes(press, cursor(page)))],
    ['charts', 'ArrowLeft', async (page, press) => void (await changes(press, cursor(page)))],
    ['charts', 'PageDown', async (page, press) => void (await changes(press, cursor(page)))],
    ['charts', 'End', async (page, press) => void (await changes(press, cursor(page)))],
    ['charts', 'Escape', async (page, press) => {
      const [, after] = await changes(press, cursor(page));
      assert.equal(after, 'Time');
    }],
    ...ON_A_CHART,
    ['anywhere', 'R', restarts],
  ]);
});

test('the sheet of a usual window needs no scrolling, and its columns are alike', async (t) => {
  const page = await openRun(t, '#preset/link-dies', { context: { viewport: { width: 1440, height: 900 } } });
  await page.getByTestId('stage-canvas').focus();
  await page.keyboard.press('?');
  const dialog = page.getByTestId('help-dialog');
  await dialog.waitFor();
  const { hidden, ends } = await dialog.evaluate((element) => {
    const lines = [...element.querySelectorAll('[data-testid=key], .symbols p')].map((line) => line.getBoundingClientRect());
    const columns = new Map();
    for (const { left, bottom } of lines) columns.set(Math.round(left), Math.max(bottom, columns.get(Math.round(left)) ?? 0));
    return { hidden: element.scrollHeight - element.clientHeight, ends: [...columns.values()] };
  });
  assert.ok(hidden <= 0, `${hidden} px are out of sight`);
  assert.ok(ends.length >= 3 && Math.max(...ends) - Math.min(...ends) < 260, `${ends}`);
});
