// Runs the case that is this worker's name and says how long it took. A worker of its own for each run: nothing of an
// earlier one is warm, and the memory is that run's alone.

import init, { WebRun } from './flowglass-bench.js';

const seconds = () => performance.now() / 1000;

try {
  const { memory } = await init();
  const started = seconds();
  const run = new WebRun(self.name);
  const built = seconds();
  run.run();
  const ended = seconds();
  self.postMessage({
    case: self.name,
    build_s: built - started,
    run_s: ended - built,
    // A wasm memory never shrinks: its size at the end is its peak.
    memory_bytes: memory.buffer.byteLength,
    outcome: JSON.parse(run.outcome()),
  });
} catch (error) {
  self.postMessage({ error: String(error) });
}
