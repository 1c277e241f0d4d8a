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
const module = new URL("../../../core/cli/closedOutput.ts", import.meta.url).href;

/** Runs a command whose standard output nobody reads. */
async function runUnread(args: readonly string[], cwd: string) {
  const child = spawn(process.execPath, [...process.execArgv, ...args], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
  });
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

  test("a process whose output nobody reads completes its work, with status 141 and no stack trace", async () => {
    const script = `
      const { writeFileSync } = await import("node:fs");
      const { handleClosedOutput } = await import(${JSON.stringify(module)});
      let isClosed = false;
      void handleClosedOutput().then(() => (isClosed = true));
      while (!isClosed) {
        console.log("a line that nobody reads");
        await new Promise((resolve) => setImmediate(resolve));
      }
      console.log("another line");
      writeFileSync("written", "");
    `;
    const { errors, status } = await runUnread(["--input-type=module", "--eval", script], dir);
    assert.is(errors, "");
    assert.is(status, 141);
    assert.ok(existsSync(join(dir, "written")));
  });

  test.deep(
    "a command whose output nobody reads completes its work, with status 141 and no stack trace",
    async () => {
      const { errors, status } = await runUnread([main, "plugin", "new", "created"], dir);
      assert.is(errors, "");
      assert.is(status, 141);
      assert.ok(existsSync(join(dir, "created/src/plugin.ts")));
    },
  );

  test.deep(
    "`manifold help` ends with status 141 and no stack trace if nobody reads its output",
    async () => {
      for (const args of [
        ["--help"],
        ["--version"],
        ["plugin", "check", "--help"],
        ["jobs", "--help"],
      ])
        assert.equal(
          await runUnread([main, ...args], dir),
          { errors: "", status: 141 },
          args.join(" "),
        );
    },
  );

  test.deep(
    "a failed command whose output nobody reads keeps its status and its message",
    async () => {
      const { errors, status } = await runUnread([main, "plugin", "check", "nowhere"], dir);
      assert.is(status, 2);
      assert.match(errors, /^manifold: "nowhere" must be an http or https URL, or a folder\n$/);
    },
  );
});
