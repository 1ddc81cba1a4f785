// Builds the case that is this worker's name, says so, runs it when told to and says how long it took. A worker of its
// own for each run: nothing of an earlier one is warm, and the memory is that run's alone. A name of three words, "flows
// OPERATION DESIGN", is an operation on a flow table.

import init, { WebFlows, WebRun } from './flowglass-bench.js';

const seconds = () => performance.now() / 1000;

/** Calls `work` and returns how many seconds it took. An error becomes the worker's last message. */
function timed(work) {
  const started = seconds();
  try {
    work();
  } catch (error) {
    self.postMessage({ error: String(error) });
    self.close();
  }
  return seconds() - started;
}

const { memory } = await init();
const [kind, operation, design] = self.name.split(' ');
const flows = kind === 'flows';
let run;
const build_s = timed(() => (run = flows ? new WebFlows(operation, design) : new WebRun(self.name)));

self.onmessage = () => {
  const run_s = timed(() => run.run());
  if (flows) {
    self.postMessage(JSON.parse(run.outcome(run_s)));
    return;
  }
  timed(() =>
    self.postMessage({
      case: self.name,
      build_s,
      run_s: run_s / run.repeats,
      repeats: run.repeats,
      // A wasm memory never shrinks: its size at the end is its peak.
      memory_bytes: memory.buffer.byteLength,
      outcome: JSON.parse(run.outcome()),
    }),
  );
};
self.postMessage('built');
