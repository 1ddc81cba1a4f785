// CPU time of Web Workers. No browser tells it; Linux does, by thread.

import { readdir, readFile } from 'node:fs/promises';

/** Chromium's name for a Web Worker's thread, as far as Linux keeps it. */
const THREAD = 'DedicatedWorker';

/**
 * CPU time that the Web Workers of this process's browsers have used so far.
 *
 * @returns {Promise<number | null>} seconds; null where there is no such thread or no way to tell
 */
export async function workerSeconds() {
  const parents = await parentsByProcess();
  let nanoseconds = null;
  for (const pid of parents.keys()) {
    if (!descends(pid, parents)) continue;
    for (const thread of await list(`/proc/${pid}/task`)) {
      const folder = `/proc/${pid}/task/${thread}`;
      if ((await read(`${folder}/comm`)).trim() !== THREAD) continue;
      const [used] = (await read(`${folder}/schedstat`)).split(' ');
      if (used) nanoseconds = (nanoseconds ?? 0) + Number(used);
    }
  }
  return nanoseconds === null ? null : nanoseconds / 1e9;
}

/** Each process's parent. */
async function parentsByProcess() {
  const parents = new Map();
  for (const entry of await list('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const parent = /^PPid:\s*(\d+)$/m.exec(await read(`/proc/${entry}/status`));
    if (parent) parents.set(Number(entry), Number(parent[1]));
  }
  return parents;
}

/** Whether a process was started by this one, or by one that was, and so on. */
function descends(pid, parents) {
  for (let at = parents.get(pid); at; at = parents.get(at)) {
    if (at === process.pid) return true;
  }
  return false;
}

// Processes and threads end while one looks: what is gone reads as nothing.
const list = (folder) => readdir(folder).catch(() => []);
const read = (file) => readFile(file, 'utf8').catch(() => '');
