import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { fillDataFolder } from "../../support/fillDataFolder.ts";
import { ownMain, startHostProcess } from "../../support/hostProcess.ts";
import { suite } from "../../support/suite.ts";
import { ctrlC, missingTerminal, openTerminal } from "../../support/terminal.ts";

const run = promisify(execFile);
const link = /http:\/\/127\.0\.0\.1:\d+\/#sign-in=[\w-]{43}/;

/** A command that ended with a status other than 0. */
interface Failed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Signs in with a link as a browser does, and returns the status and the e-mail address. */
async function follow(found: string): Promise<readonly [number, string | undefined]> {
  const url = new URL(found);
  const answer = await fetch(`${url.origin}/auth/session`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-Manifold-Console": "1",
      "Sec-Fetch-Site": "same-origin",
      Origin: url.origin,
    },
    body: JSON.stringify({ link: url.hash.replace("#sign-in=", "") }),
  });
  const body = (await answer.json()) as { readonly user?: { readonly email: string } };
  return [answer.status, body.user?.email];
}

suite(
  "core/cli/command",
  (test) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-command-")));
    test.after(() => rmSync(folder, { recursive: true, force: true }));
    const env = {
      ...process.env,
      NODE_OPTIONS: "",
      MANIFOLD_PORT: "0",
      MANIFOLD_LOG_LEVEL: "info",
      MANIFOLD_WARM_UP: "off",
    };
    const command = `${process.execPath} ${ownMain}`;

    test.deep(
      "manifold on a terminal creates a data folder in the current folder and prints its path",
      async () => {
        const cwd = join(folder, "new");
        mkdirSync(cwd);
        const terminal = openTerminal(command, { cwd, env });
        const dataDir = join(cwd, ".manifold");
        await terminal.written(/Manifold listens on/);
        assert.match(terminal.text(), `Data in ${dataDir} (a new data folder;`);
        assert.match(terminal.text(), /key {3}\S+\n {2}token \S+/);
        assert.match(terminal.text(), link);
        terminal.type(ctrlC);
        assert.is(await terminal.ended, 0);
      },
    );

    test.deep(
      "each start on a terminal prints a link that works once, and `manifold open` prints a new link",
      async () => {
        const cwd = join(folder, "known");
        const dataDir = join(cwd, ".manifold");
        mkdirSync(dataDir, { recursive: true });
        await fillDataFolder(dataDir);
        for (const start of ["first", "second"]) {
          const terminal = openTerminal(`${command} --cache-mb 16`, { cwd, env });
          await terminal.written(/Manifold listens on/);
          assert.match(terminal.text(), `Data in ${dataDir}\n`);
          assert.is(/token \S+/.test(terminal.text()), start === "first");
          const [printed = ""] = link.exec(terminal.text()) ?? [];
          const open = await run(process.execPath, [ownMain, "open"], { cwd, env });
          const [opened = ""] = link.exec(open.stdout) ?? [];
          for (const found of [printed, opened]) {
            assert.equal(await follow(found), [200, "owner@localhost"]);
            assert.equal(await follow(found), [401, undefined]);
          }
          terminal.type(ctrlC);
          assert.is(await terminal.ended, 0);
        }
      },
    );

    test.deep("a host whose output is not a terminal prints no link", async () => {
      const dataDir = join(folder, "known/.manifold");
      const host = await startHostProcess(dataDir, { MANIFOLD_KEY: "", MANIFOLD_TOKEN: "" });
      assert.match(host.output(), `Data in ${dataDir}\n`);
      assert.not.match(host.output(), "sign-in");
      await host.end("SIGTERM");
    });

    test.deep("manifold on a terminal accepts flags without a command", async () => {
      const unknown = openTerminal(`${command} --prot 1`, { cwd: folder, env });
      assert.is(await unknown.ended, 2);
      assert.match(unknown.text(), "--prot");
      const help = openTerminal(`${command} --help`, { cwd: folder, env });
      assert.is(await help.ended, 0);
      assert.match(help.text(), "manifold open");
    });

    test.deep("manifold without arguments and without a terminal prints its help", async () => {
      const { code, stdout, stderr } = (await run(process.execPath, [ownMain], {
        cwd: folder,
        env,
      }).catch((failure: Failed) => failure)) as Failed;
      assert.is(code, 2);
      assert.match(stdout, "manifold [serve]");
      assert.match(stderr, "use manifold serve");
    });
  },
  missingTerminal === undefined ? {} : { missing: missingTerminal },
);
