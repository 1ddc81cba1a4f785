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

/** How long a browser may take to start, to open a profile or to close one: a machine that does other things too is far quicker. */
const PATIENCE_MS = 90_000;
/** How long a browser waits for a test, before it is closed. */
const IDLE_MS = 500;

/** The browser of this process: starting one for each test would take longer than most tests. */
const shared = { browser: undefined, users: 0, idle: undefined };

/** What a promise comes to, or an error that says what has not come. */
function within(promise, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not within ${PATIENCE_MS / 1000} s`)), PATIENCE_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** A profile of its own in the browser of this process. A browser that does not answer, as happens on a machine that has too much to do, is replaced once. */
async function openProfile(options) {
  clearTimeout(shared.idle);
  shared.users += 1;
  const open = async () => {
    if (!shared.browser?.isConnected()) shared.browser = await within(launch(), 'starting the browser');
    return within(shared.browser.newContext(options), 'opening a profile');
  };
  return open().catch((error) => {
    console.error(`trying again: ${error.message}`);
    closeBrowser();
    return open();
  });
}

function giveBackBrowser() {
  shared.users -= 1;
  if (shared.users > 0) return;
  shared.idle = setTimeout(closeBrowser, IDLE_MS);
}

function closeBrowser() {
  const { browser } = shared;
  shared.browser = undefined;
  void browser?.close();
}

/**
 * A profile of its own for one test, in the browser of all tests of a file; it ends with the test.
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
  let context;
  const complaints = [];
  t.after(async () => {
    try {
      if (context) await within(context.close(), 'closing a profile');
    } finally {
      giveBackBrowser();
    }
    assert.deepEqual(complaints, []);
  });
  context = await openProfile({ baseURL: site, viewport: { width: 1280, height: 800 }, serviceWorkers: keeps ? 'allow' : 'block', ...contextOptions });
  collectComplaints(complaints, context, site, expected);
  return context;
}

/** Adds to a list what the pages of a context report as errors, and their requests to other hosts than the site's. */
function collectComplaints(complaints, context, site, expected) {
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
  const complaints = [];
  collectComplaints(complaints, context, url);
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
  const page = await within(context.newPage(), 'opening a page');
  await page.goto(url + path);
  return page;
}
