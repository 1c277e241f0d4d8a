import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { keepAwake } from "./keepAwake.ts";

/**
 * `npm run bench [-- --only name[:part][,name]] [-- --rows 10m] [-- --seed n] [-- --repeats n] [-- --minutes n] [--
 * --json file]` runs all benches. Each bench is a file of this folder and runs in a separate process. The options are
 * passed to the benches, which document their meaning.
 */
const { values } = parseArgs({
  options: {
    only: { type: "string" },
    rows: { type: "string" },
    seed: { type: "string" },
    repeats: { type: "string" },
    json: { type: "string" },
    minutes: { type: "string" },
    shape: { type: "string" },
  },
});
const wanted = (values.only ?? "").split(",").map((name) => name.split(":")[0] ?? "");

const files = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".bench.ts"))
  .filter((file) => wanted.some((name) => file.startsWith(name)))
  .toSorted();
if (files.length === 0) throw new Error(`no bench matches ${values.only}`);

process.stdout.write(
  `Node ${process.version}, ${cpus()[0]?.model ?? "unknown processor"}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB\n`,
);
const endLoops = await keepAwake();
if (!endLoops)
  process.stdout.write("chrt is not installed, so the processors may halt between queries.\n");
for (const file of files) {
  process.stdout.write(`\n${file}\n`);
  const child = spawn(
    process.execPath,
    [
      ...process.execArgv,
      `${import.meta.dirname}/${file}`,
      ...Object.entries(values).flatMap(([name, value]) => [`--${name}`, value]),
    ],
    { stdio: "inherit" },
  );
  const [status] = (await once(child, "exit")) as [number | null];
  if (status !== 0) process.exitCode = 1;
}
endLoops?.();
