import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { messageOf } from "../../../core/base/errors.ts";
import { runOpenCommand } from "../../../core/cli/runOpenCommand.ts";
import { openOperatorDoor } from "../../../core/operating/operator/index.ts";
import { silentLog } from "../../support/testServer.ts";
import { suite } from "../../support/suite.ts";

const organization = "7F1D2C9A-0000-4000-8000-00000000000A";

suite("core/cli/runOpenCommand", (test) => {
  const folder = mkdtempSync(join(tmpdir(), "manifold-open-"));
  test.after(() => rmSync(folder, { recursive: true, force: true }));

  const run = async (
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ) => {
    const lines: string[] = [];
    await runOpenCommand(args, { MANIFOLD_DATA_DIR: folder, ...environment }, (line) =>
      lines.push(line),
    );
    return lines.join("\n");
  };
  const refused = (args: readonly string[], environment?: Readonly<Record<string, string>>) =>
    run(args, environment).then(() => "it was not refused", messageOf);

  test("`manifold open` prints the link of the running host, for the chosen owner", async () => {
    const asked: unknown[] = [];
    const door = await openOperatorDoor({
      dataDir: folder,
      log: silentLog,
      requests: {
        async signInLink(input) {
          asked.push(input);
          const answer = { url: "http://127.0.0.1:4000/#sign-in=once", email: "ann@example.com" };
          return { answer, end: async () => undefined };
        },
      },
    });
    try {
      assert.match(
        await run([]),
        /signed in as ann@example\.com \(works once.*\n {2}http:\/\/127\.0\.0\.1:4000\/#sign-in=once$/,
      );
      const email = "ben@example.com";
      await run(["--email", email, "--organization", organization, "--data-dir", folder]);
      assert.equal(asked, [{}, { email, organizationId: organization.toLowerCase() }]);
    } finally {
      await door?.close();
    }
  });

  test("manifold open names the absolute data folder when no host runs on it", async () => {
    assert.match(
      await refused([]),
      `no running host uses ${folder}; start the host with manifold serve`,
    );
    assert.match(
      await refused(["--data-dir", "elsewhere"]),
      `no running host uses ${process.cwd()}/`,
    );
  });

  test("`manifold open` with DATABASE_URL says that hosts may run on other machines", async () => {
    const DATABASE_URL = "postgres://ann:secret@db.example.com/manifold";
    const message = await refused([], { DATABASE_URL, MANIFOLD_SECRET: "s".repeat(40) });
    assert.match(message, "run this command on the machine of a host");
    assert.not.match(message, "secret@");
  });

  test("`manifold open` rejects unknown arguments and an invalid organization", async () => {
    assert.match(await refused(["--browser"]), "--browser");
    assert.match(await refused(["now"]), "now");
    assert.match(await refused(["--organization", "acme"]), "must be the id of an organization");
  });
});
