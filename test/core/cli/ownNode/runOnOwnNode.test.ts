import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { text } from "node:stream/consumers";
import * as assert from "uvu/assert";
import { nodeVersion } from "../../../../core/cli/ownNode/nodePackages.ts";
import { processesNaming } from "../../../support/npmProcess.ts";
import { suite } from "../../../support/suite.ts";

const root = join(import.meta.dirname, "../../../..");
const ownNode = JSON.stringify(join(root, "core/cli/ownNode/index.ts"));
const base = JSON.stringify(join(root, "core/base/process/index.ts"));

/** The command that runs itself again on its own Node.js. Its first argument says what it does. */
const command = `
  import { text } from "node:stream/consumers";
  const [what] = process.argv.slice(2);
  if (what === "echo") {
    console.log(JSON.stringify([process.argv.slice(2), await text(process.stdin), process.execPath]));
    process.exitCode = 7;
  }
  if (what === "crash") process.kill(process.pid, "SIGABRT");
  if (what === "wait") {
    const { untilStopped } = await import(${base});
    const stopped = untilStopped();
    console.log("waits");
    setInterval(() => undefined, 1000);
    await stopped;
    console.log("stops");
    process.exit(0);
  }
`;

suite("core/cli/ownNode/runOnOwnNode", (test) => {
  const folder = mkdtempSync(join(tmpdir(), "manifold-run-"));
  const main = join(folder, "main.mjs");
  const launcher = join(folder, "launcher.mjs");
  const program = join(
    folder,
    `cache/manifold/node/${nodeVersion}-${process.platform}-${process.arch}/bin/node`,
  );
  test.before(() => {
    mkdirSync(join(program, ".."), { recursive: true, mode: 0o700 });
    symlinkSync(process.execPath, program);
    writeFileSync(main, command);
    writeFileSync(
      launcher,
      `import { runOnOwnNode } from ${ownNode};\nawait runOnOwnNode(${JSON.stringify(main)}, process.argv.slice(2));`,
    );
  });
  test.after(() => rmSync(folder, { recursive: true, force: true }));

  const start = (...args: readonly string[]): ChildProcessWithoutNullStreams =>
    spawn(process.execPath, ["--conditions=manifold-source", launcher, ...args], {
      env: { ...process.env, NODE_OPTIONS: "", XDG_CACHE_HOME: join(folder, "cache") },
    });
  const nobodyLeft = async () => {
    while (processesNaming(main).length > 0) await pause(20);
  };

  test("the command's own Node.js process gets the command's arguments and input, and passes on its output and exit status", async () => {
    const child = start("echo", "--flag", "two words");
    child.stdin.end("typed");
    const ended = once(child, "exit");
    const printed = await text(child.stdout);
    assert.equal(JSON.parse(printed), [["echo", "--flag", "two words"], "typed", process.execPath]);
    assert.equal(await ended, [7, null]);
  });

  test("a signal that ends the command also ends the process that started the command", async () => {
    assert.equal(await once(start("crash"), "exit"), [null, "SIGABRT"]);
  });

  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    (signal === "SIGTERM" ? test : test.deep)(
      `${signal} reaches the command, which shuts down cleanly`,
      async () => {
        const child = start("wait");
        const ended = once(child, "exit");
        await once(child.stdout, "data");
        child.kill(signal);
        assert.is(await text(child.stdout), "stops\n");
        assert.equal(await ended, [0, null]);
      },
    );

  test.deep("the command stops when the process that started it is killed", async () => {
    const child = start("wait");
    await once(child.stdout, "data");
    child.kill("SIGKILL");
    await nobodyLeft();
    assert.ok(true);
  });
});
