/**
 * What does each access path of the engine gain? Its questions are answered with it and without it, in turns, by the
 * same threads from the same rows; the answers must be equal to the bit. Figures are processor time of the threads, so
 * that other work on the machine matters little. `--rows` is 10m when absent, `--repeats` 15;
 * `--only accessPaths:rows` measures the paths whose name contains `rows`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const own = (file: string) => fileURLToPath(new URL(`accessPaths/${file}`, import.meta.url));
// Threads load the file of `--import` too.
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
