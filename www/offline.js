// The service worker: keeps the files of one version of the page, so that it opens without a network, and never mixes two versions.

importScripts('./build.js');

const { build, files } = self.FLOWGLASS;
const PREFIX = 'flowglass-';
const OWN = PREFIX + build;
const START = 'index.html';

self.addEventListener('install', (event) => event.waitUntil(keep()));

// Until every page of the old version is closed, or one of them asks, a new version waits with its files ready.
self.addEventListener('message', (event) => {
  if (event.data === 'take over') self.skipWaiting();
});

self.addEventListener('activate', (event) => event.waitUntil(takeOver()));

self.addEventListener('fetch', (event) => {
  const name = nameOf(event.request);
  if (name !== undefined) event.respondWith(answer(name, event.request));
});

/** All files or none: a version with a hole would break the page later. */
async function keep() {
  const cache = await caches.open(OWN);
  try {
    await Promise.all(files.map((name) => fetchInto(cache, name)));
  } catch (error) {
    await caches.delete(OWN);
    throw error;
  }
}

async function fetchInto(cache, name) {
  // Asks whether the file is still the same, whatever the server allows the browser to keep.
  const response = await fetch(`./${name}`, { cache: 'no-cache' });
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  await cache.put(`./${name}`, response);
}

async function takeOver() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== OWN).map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** Which of our files a request is for, if any. */
function nameOf(request) {
  if (request.method !== 'GET') return undefined;
  const scope = new URL('./', self.location.href);
  const asked = new URL(request.url);
  if (asked.origin !== scope.origin || !asked.pathname.startsWith(scope.pathname)) return undefined;
  const name = asked.pathname.slice(scope.pathname.length) || START;
  return files.includes(name) ? name : undefined;
}

async function answer(name, request) {
  const cache = await caches.open(OWN);
  return (await cache.match(`./${name}`)) ?? fetch(request);
}
