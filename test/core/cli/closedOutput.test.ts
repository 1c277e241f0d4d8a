import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { suite } from "../../support/suite.ts";

const main = fileURLToPath(new URL("../../../core/cli/main.ts", import.meta.url));

/** Runs a command whose standard output nobody reads. */
async function runUnread(args: readonly string[], cwd: string) {
  const command = [...process.execArgv, main, ...args];
  const child = spawn(process.execPath, command, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  // The pipe is closed long before the command writes to it.
  child.stdout.destroy();
  const [errors, [status]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  return { errors, status: status as unknown };
}

suite("core/cli/closedOutput", (test) => {
  let dir: string;
  test.before(() => {
    dir = mkdtempSync(join(tmpdir(), "manifold-closed-"));
  });
  test.after(() => rmSync(dir, { recursive: true, force: true }));

  test("a command whose output nobody reads completes its work, with status 141 and no stack trace", async () => {
    const { errors, status } = await runUnread(["plugin", "new", "written"], dir);
    assert.is(errors, "");
    assert.is(status, 141);
    assert.ok(existsSync(join(dir, "written/src/plugin.ts")));
  });

  test.deep(
    "`manifold help` ends with status 141 and no stack trace if nobody reads its output",
    async () => {
      for (const args of [
        ["--help"],
        ["--version"],
        ["plugin", "check", "--help"],
        ["jobs", "--help"],
      ])
        assert.equal(await runUnread(args, dir), { errors: "", status: 141 }, args.join(" "));
    },
  );

  test.deep(
    "a failed command whose output nobody reads keeps its status and its message",
    async () => {
      const { errors, status } = await runUnread(["plugin", "check", "nowhere"], dir);
      assert.is(status, 2);
      assert.match(errors, /^manifold: "nowhere" must be an http or https URL, or a folder\n$/);
    },
  );
});
