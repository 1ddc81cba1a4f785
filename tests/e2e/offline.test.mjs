// The page is kept for working offline, and a new version asks before it replaces the one that is open.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import test from 'node:test';
import { openPage, startBrowser, url } from './browser.mjs';
import { finish, locate, press, reach, ready, timePs } from './stage.mjs';

const EDITION = /build ([0-9a-f]{12})/;

/** Until the page's files are kept and the service worker answers for the page. */
async function kept(page) {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 60_000 });
}

/** What the list of keys says of the version. */
async function edition(page) {
  await ready(page);
  await page.keyboard.press('?');
  const text = await page.getByTestId('edition').textContent();
  await page.keyboard.press('Escape');
  return text;
}

test('after the first visit the page opens and plays without a network', async (t) => {
  const page = await openPage(t, '', { keeps: true, expected: /ERR_INTERNET_DISCONNECTED/ });
  await kept(page);
  assert.match(await edition(page), EDITION);
  await page.context().setOffline(true);
  await page.goto(`${url}#preset/incast`);
  await page.reload();
  await ready(page);
  await finish(page);
  assert.match(await edition(page), /opens without a network/);
});

/** A server of the page whose build can be made another one. */
async function changing(t) {
  const site = { build: undefined, url: undefined };
  const server = createServer(async (request, response) => {
    const answer = await fetch(new URL(request.url.slice(1), url));
    let body = Buffer.from(await answer.arrayBuffer());
    if (request.url === '/build.js' && site.build) body = Buffer.from(body.toString().replace(/"build":"[^"]*"/, `"build":"${site.build}"`));
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type'),
      'content-security-policy': answer.headers.get('content-security-policy'),
      'cache-control': 'no-cache',
    });
    response.end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  site.url = `http://127.0.0.1:${server.address().port}/`;
  return site;
}

test('a new version waits until it is asked for', async (t) => {
  const site = await changing(t);
  const context = await startBrowser(t, { keeps: true, site: site.url });
  const page = await context.newPage();
  await page.goto(site.url);
  await kept(page);
  const [, first] = EDITION.exec(await edition(page));

  site.build = 'abcdef012345';
  await page.reload();
  await page.getByTestId('new-version').waitFor({ timeout: 60_000 });
  // Nothing has changed yet.
  assert.equal(EDITION.exec(await edition(page))[1], first);
  await page.getByTestId('keep-version').click();
  assert.equal(await page.getByTestId('new-version').count(), 0);

  // The next visit asks again, and this time it is wanted.
  await page.reload();
  await page.getByTestId('use-new-version').click({ timeout: 60_000 });
  await page.waitForFunction(() => self.FLOWGLASS?.build === 'abcdef012345', undefined, { timeout: 60_000 });
  assert.equal(EDITION.exec(await edition(page))[1], site.build);
});

test('what is open, with what was broken by hand, is open in the new version too', async (t) => {
  const site = await changing(t);
  const context = await startBrowser(t, { keeps: true, site: site.url });
  const page = await context.newPage();
  await page.goto(`${site.url}#preset/link-dies`);
  await kept(page);
  await ready(page);
  site.build = 'abcdef012345';
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
  await page.getByTestId('use-new-version').waitFor({ timeout: 60_000 });

  // Work on it after the question has come up.
  const place = await locate(page, 'p0/t0.0-t1.0');
  await press(page, 'Space');
  await reach(page, 10);
  await press(page, 'Space');
  await press(page, 'b');
  await page.mouse.click(place.x, place.y);
  await page.getByTestId('fault').filter({ hasText: 'p0/t0.0-t1.0 down' }).filter({ hasText: 'by hand' }).waitFor();
  const now = await timePs(page);

  await page.getByTestId('use-new-version').click();
  await page.waitForFunction(() => self.FLOWGLASS?.build === 'abcdef012345', undefined, { timeout: 60_000 });
  await page.locator(`[data-testid=time][data-ps="${now}"]`).waitFor({ timeout: 60_000 });
  await page.getByTestId('fault').filter({ hasText: 'p0/t0.0-t1.0 down' }).waitFor();
});
