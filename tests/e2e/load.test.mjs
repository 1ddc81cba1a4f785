// The page loads: its module runs, its worker starts, and nothing of it breaks its own security policy.

import assert from 'node:assert/strict';
import test from 'node:test';
import { openPage, url } from './browser.mjs';

test('the page and its worker start', async (t) => {
  const page = await openPage(t);
  assert.equal(await page.title(), 'Flowglass');
  await page.locator('#app > *').first().waitFor();
  const worker = page.workers()[0] ?? (await page.waitForEvent('worker'));
  assert.equal(worker.url(), `${url}flowglass-worker_loader.js`);
});

test('the policy forbids scripts inside the page', async (t) => {
  const page = await openPage(t, '', { expected: /Content Security Policy/ });
  await page.locator('[data-testid=app]').waitFor();
  const blocked = page.evaluate(
    () => new Promise((resolve, reject) => {
      document.addEventListener('securitypolicyviolation', (event) => resolve(event.violatedDirective));
      // A picture that is none: its handler would run. Until then, not every Chromium looks at it.
      const image = document.createElement('img');
      image.setAttribute('onerror', 'document.title = "broken into"');
      image.src = 'data:image/png;base64,AA';
      document.body.append(image);
      setTimeout(() => reject(new Error('nothing was blocked within 30 s')), 30_000);
    }),
  );
  assert.equal(await blocked, 'script-src-attr');
  assert.equal(await page.title(), 'Flowglass');
});
