// axe-core finds nothing to complain about on any view of a host, of runs side by side and of frames, in both themes.

import assert from 'node:assert/strict';
import test from 'node:test';
import { complaints, each, PHONE } from './axe.mjs';
import { openPage } from './browser.mjs';
import { openRun, press } from './stage.mjs';

test('the host page and its tabs', async (t) => {
  const page = await openRun(t, '#preset/host-first-packet');
  const tabs = await page.locator('[data-testid^=tab-]').evaluateAll((tabs) => tabs.map((tab) => tab.dataset.testid));
  const found = await each(page, tabs, 'host');
  assert.deepEqual(found, []);
});

test('a host on a phone, and its editor', async (t) => {
  const page = await openRun(t, '#preset/host-first-packet', PHONE);
  const panels = await page.locator('[data-testid^=panel-]').evaluateAll((tabs) => tabs.map((tab) => tab.dataset.testid));
  const found = await each(page, panels, 'phone');
  await press(page, 'Shift+E');
  await page.getByTestId('editor').waitFor();
  found.push(...(await complaints(page, 'editor of a host on a phone')));
  await page.setViewportSize({ width: 1280, height: 800 });
  found.push(...(await complaints(page, 'editor of a host')));
  assert.deepEqual(found, []);
});

test('the card of an import, done and refused', async (t) => {
  const page = await openRun(t, '#preset/host-first-packet');
  const rule = { name: 'https', priority: 200, direction: 'Inbound', access: 'Allow', protocol: 'Tcp', sourceAddressPrefix: '*', sourcePortRange: '*', destinationAddressPrefix: '10.1.0.4', destinationPortRange: '443' };
  const found = [];
  for (const [stage, access] of [['done', 'Allow'], ['error', 'Perhaps']]) {
    await page.getByTestId('file-input').setInputFiles({
      name: 'nsg.json', mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify({ name: 'web', securityRules: [{ ...rule, access }] })),
    });
    await page.locator(`[data-testid=import-card][data-stage=${stage}]`).waitFor();
    if (stage === 'done') await page.getByTestId('import-open').click();
    found.push(...(await complaints(page, `import ${stage}`)));
  }
  assert.deepEqual(found, []);
});

test('runs side by side', async (t) => {
  const page = await openRun(t, '#preset/roce-t1-dies');
  await page.getByTestId('compare').click();
  const found = await complaints(page, 'compare dialog');
  await page.getByTestId('counterpart-mrc').click();
  await page.locator('[data-testid=app][data-runs="2"][data-phase=ready]').waitFor({ timeout: 120_000 });
  found.push(...(await complaints(page, 'compare')));
  assert.deepEqual(found, []);
});

test('a story about a host', async (t) => {
  const page = await openRun(t, '#story/syn-flood/3');
  await page.getByTestId('story').waitFor();
  assert.deepEqual(await complaints(page, 'host story'), []);
});

test('a frame in another page, before and after it is clicked', async (t) => {
  const found = [];
  for (const [of, link] of [['fabric', '#preset/link-dies'], ['host', '#preset/host-first-packet']]) {
    const page = await openPage(t, `?embed=timeline${link}`);
    await page.getByTestId('start').waitFor();
    found.push(...(await complaints(page, `${of} frame`)));
    await page.getByTestId('start').click();
    await page.locator('.embed-bar [data-testid=time]:not([data-ps="0"])').waitFor();
    await page.locator('.embed-bar [data-testid=play]').click();
    found.push(...(await complaints(page, `${of} frame that plays`)));
  }
  assert.deepEqual(found, []);
});
