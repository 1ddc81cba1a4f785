// The browser and the page under test, as `cargo xtask test --only e2e` sets them up.

import assert from 'node:assert/strict';
import { chromium, firefox } from 'playwright-core';

/** The address of the page under test, ending in a slash. */
export const url = required('FLOWGLASS_URL');

function required(variable) {
  const value = process.env[variable];
  assert.ok(value, `${variable} is not set: run these tests with \`cargo xtask test --only e2e\``);
  return value;
}

/** Starts the browser that `cargo xtask` has found. */
export async function launch() {
  const args = required('FLOWGLASS_CHROMIUM_ARGS').split(' ');
  return chromium.launch({
    executablePath: required('FLOWGLASS_CHROMIUM'),
    chromiumSandbox: !args.includes('--no-sandbox'),
    args,
  });
}

/**
 * Starts a browser for one test, which ends with it. It has a profile of its own.
 * Whatever the pages report as an error fails the test, and so does a request to any other host.
 *
 * @param {import('node:test').TestContext} t the test
 * @param {object} [options]
 * @param {boolean} [options.keeps] whether the page may be kept for working offline, which costs each test a second load
 * @param {string} [options.site] another address of this machine that the page is served at
 * @param {RegExp} [options.expected] errors, on the console or uncaught, that do not fail the test
 * @param {import('playwright-core').BrowserContextOptions} [options.context] for example the size of the window
 * @returns {Promise<import('playwright-core').BrowserContext>} opens the pages
 */
export async function startBrowser(t, { expected, keeps = false, site = url, context: contextOptions } = {}) {
  const browser = await launch();
  const context = await browser.newContext({ baseURL: site, viewport: { width: 1280, height: 800 }, serviceWorkers: keeps ? 'allow' : 'block', ...contextOptions });
  const complaints = complaintsOf(context, site, expected);
  t.after(async () => {
    await browser.close();
    assert.deepEqual(complaints, []);
  });
  return context;
}

/** What the pages of a context report as errors, and their requests to other hosts than the site's: a list that grows. */
function complaintsOf(context, site, expected) {
  const complaints = [];
  context.on('weberror', (error) => {
    if (!expected?.test(error.error().message)) complaints.push(`uncaught: ${error.error().stack}`);
  });
  context.on('console', (message) => {
    if (message.type() === 'error' && !expected?.test(message.text())) complaints.push(`console: ${message.text()}`);
  });
  context.on('request', (request) => {
    if (/^(https?|wss?):/.test(request.url()) && !request.url().startsWith(site)) {
      complaints.push(`request to another host: ${request.url()}`);
    }
  });
  return complaints;
}

/** The Firefox that `cargo xtask` has found, or nothing. */
export const firefoxPath = process.env.FLOWGLASS_FIREFOX || undefined;

/** Starts it as it was installed: Playwright speaks WebDriver BiDi with it, and needs no build of its own. */
export async function launchFirefox() {
  return firefox.launch({ channel: 'moz-firefox', executablePath: firefoxPath });
}

/**
 * Opens the page under test in a Firefox that is running, with a profile of its own for the test. Errors fail the test as in
 * `startBrowser`.
 *
 * @param {import('node:test').TestContext} t the test
 * @param {import('playwright-core').Browser} browser
 * @param {string} [path] what follows the page's address
 * @returns {Promise<import('playwright-core').Page>}
 */
export async function openInFirefox(t, browser, path = '') {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 } });
  const complaints = complaintsOf(context, url);
  t.after(async () => {
    await context.close();
    assert.deepEqual(complaints, []);
  });
  const page = await context.newPage();
  await page.goto(url + path);
  return page;
}

/**
 * Opens the page under test.
 *
 * @param {import('node:test').TestContext} t the test
 * @param {string} [path] what follows the page's address, for example a fragment with a scenario
 * @param {Parameters<typeof startBrowser>[1]} [options]
 * @returns {Promise<import('playwright-core').Page>}
 */
export async function openPage(t, path = '', options = {}) {
  const context = await startBrowser(t, options);
  const page = await context.newPage();
  await page.goto(url + path);
  return page;
}
