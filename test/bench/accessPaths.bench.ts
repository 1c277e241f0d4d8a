/**
 * How much time does each access path of the engine save? Queries run alternately with and without the path, on the
 * same threads and rows. Both answers must be identical, bit by bit. The figures are processor time of the threads, so
 * other work on the machine matters little. `--rows` defaults to 10m and `--repeats` to 15. `--only accessPaths:rows`
 * measures the paths whose names contain `rows`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const own = (file: string) => fileURLToPath(new URL(`accessPaths/${file}`, import.meta.url));
// Threads also load the module that `--import` names.
const child = spawn(
  process.execPath,
  [
    ...process.execArgv,
    `--import=${own("switchPaths.ts")}`,
    own("measurePaths.ts"),
    ...process.argv.slice(2),
  ],
  { stdio: "inherit" },
);
const [status] = (await once(child, "exit")) as [number | null];
process.exitCode = status ?? 1;
