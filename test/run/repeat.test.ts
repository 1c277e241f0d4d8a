import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { platform } from "node:process";
import * as assert from "uvu/assert";
import { rounds } from "../support/layer.ts";
import { suite } from "../support/suite.ts";
import { startBusyProcesses } from "./startBusyProcesses.ts";

const script = join(import.meta.dirname, "repeat.ts");

async function repeat(...words: readonly string[]) {
  const { promise, resolve } = Promise.withResolvers<{ status: unknown; output: string }>();
  const flags = ["--conditions=manifold-source", script];
  execFile(process.execPath, [...flags, ...words], (failure, stdout, stderr) =>
    resolve({ status: failure?.code ?? 0, output: stdout + stderr }),
  );
  return promise;
}

/** Returns the number of busy processes that this process has started. */
function busyCount(): number {
  return readdirSync("/proc").filter((pid) => {
    try {
      const parent = /PPid:\t(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      return Number(parent) === process.pid && command.includes("busyProcess");
    } catch {
      // The entry is not a process, or the process has ended.
      return false;
    }
  }).length;
}

suite("test/run/repeat", (test) => {
  test("`test:repeat` requires a count and either patterns or --changed", async () => {
    const wrong = [
      ["2"],
      ["2", "a", "--changed"],
      ["2", "a", "--minutes", "x"],
      ["0", "a"],
      [],
      ["a"],
    ];
    // Each word is passed as a separate argument.
    for (const words of rounds({ quick: wrong.slice(0, 2), deep: wrong })) {
      const { status, output } = await repeat(...words);
      assert.is(status, 1, words.join(" "));
      assert.match(output, "npm run test:repeat -- N pattern");
    }
  });

  test("the processes with which `test:repeat` keeps the processors busy stop on request", async () => {
    const end = startBusyProcesses(1);
    if (platform === "linux") assert.is(busyCount(), 1);
    await end();
    if (platform === "linux") assert.is(busyCount(), 0);
  });

  test.deep(
    "`test:repeat` runs each file the given number of times, each time in a new process",
    async () => {
      const { status, output } = await repeat("2", "^run/filesWithDeep");
      assert.is(status, 0, output);
      assert.match(output, "1 file, 2 runs, 8 tests: 0 runs failed in 0 tests\n");
    },
  );
});
