// Runs benchmark cases with a module that counts the instructions it executes: `cargo xtask count`. Not a test.
//
// Arguments: the module's script, the cases. One line of JSON for each case on standard output.

import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

const [, , script, ...cases] = process.argv;
const { initSync, WebRun } = await import(pathToFileURL(script));
const module = await WebAssembly.compile(await readFile(script.replace(/\.mjs$/, '_bg.wasm')));
const counter = initSync({ module }).executed_instructions;

for (const name of cases) {
  const start = counter.value;
  const run = new WebRun(name);
  const built = counter.value;
  run.run();
  const end = counter.value;
  const { packet_hops } = JSON.parse(run.outcome());
  const { repeats } = run;
  run.free();
  console.log(
    JSON.stringify({
      case: name,
      build_instructions: Number(built - start),
      run_instructions: Math.round(Number(end - built) / repeats),
      packet_hops,
    }),
  );
}
