import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { runTransfer } from "../../../../core/operating/transfer/index.ts";
import { suite } from "../../../support/suite.ts";
import { openTenantHost, type TenantHost } from "./openTenantHost.ts";

suite("core/operating/transfer/runTransfer", (test) => {
  const dir = mkdtempSync(join(tmpdir(), "manifold-command-"));
  let host: TenantHost;
  let environment: Record<string, string>;
  test.before(async () => {
    host = await openTenantHost({ callsPerSecond: 50, callBurst: 10 });
    environment = { MANIFOLD_URL: host.url, MANIFOLD_KEY: host.key, MANIFOLD_TOKEN: host.token };
  });
  test.after(async () => {
    await host.close();
    rmSync(dir, { recursive: true, force: true });
  });

  type Name = "export" | "diff" | "apply";
  const run = async (command: Name, args: string[], given = environment) => {
    const lines: string[] = [];
    await runTransfer(command, args, given, (line) => lines.push(line));
    return lines;
  };
  const refusal = (command: Name, args: string[], given = environment) =>
    run(command, args, given).then(
      (lines) => `nothing was refused: ${lines.join()}`,
      (failure: Error) => failure.message,
    );

  test("an export waits when the host limits its calls, and applying the export then reports no changes", async () => {
    const exported = await run("export", ["--dir", dir]);
    assert.equal(exported, [
      "1 group",
      `exported to ${dir}, without rows, users or secrets; groups name their members by e-mail address`,
    ]);
    const manifest = JSON.parse(readFileSync(join(dir, "manifest.json"), "utf8"));
    assert.equal([manifest.format, manifest.version], ["manifold-tenant", 1]);
    const applied = await run("apply", ["--dir", dir, "--url", `${host.url}/`]);
    assert.equal(applied, ["nothing to change: all 1 records match the folder"]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await host.client.create("tag", { tag: "besides" });
    const [note] = await run("apply", ["--dir", dir, "--dry-run"]);
    assert.match(note ?? "", /^note: tag "besides" \(\S+\) is not in the folder$/);
  });

  test("`diff` describes each change, in plain text or as a list, and exits with 2 if there is one", async () => {
    const own = mkdtempSync(join(tmpdir(), "manifold-diff-"));
    const unlimited = await openTenantHost();
    try {
      const { client } = unlimited;
      const given = {
        MANIFOLD_URL: unlimited.url,
        MANIFOLD_KEY: unlimited.key,
        MANIFOLD_TOKEN: unlimited.token,
      };
      const item = (id: string, more: object = {}) => ({ id, type: "text", slots: [], ...more });
      const made = await client.create<{ id: string }>("securable", {
        type: "dashboard",
        name: { en: "Board *1*" },
        contents: { views: [{ screenModus: "desktop", items: [item("a"), item("b")] }] },
      });
      const channel = await client.create<{ id: string }>("channel", {
        name: "Ops",
        type: "webhook",
        config: { url: "https://hooks.example.org/ops" },
      });
      await run("export", ["--dir", own], given);
      const status = async (args: string[]) => {
        const lines: string[] = [];
        const code = await runTransfer("diff", ["--dir", own, ...args], given, (line) =>
          lines.push(line),
        );
        return [code, lines.filter((line) => !/note:|warning:/.test(line))] as const;
      };
      assert.equal((await status([]))[0], 0);
      await client.update<{ id: string }>("securable", made.id, {
        name: { en: "Panel" },
        contents: { views: [{ screenModus: "desktop", items: [item("a", { x: 1 }), item("c")] }] },
      });
      await client.update<{ id: string }>("channel", channel.id, { name: "Secret" });
      const [code, lines] = await status([]);
      assert.is(code, 2);
      assert.is(lines.length, 6);
      assert.match(lines[0]!, /^would change dashboard "Board \*1\*" of dashboards\/.*: /);
      assert.match(lines[3]!, /^would change channel "Ops" of channels\/.*\.json: name$/);
      assert.is(lines[4], "  name: changes to a value that is not shown");
      assert.ok(lines.includes('  name: {"en":"Panel"} becomes {"en":"Board *1*"}'));
      assert.ok(lines.includes("  contents: changes text a, adds text b, removes text c"));
      assert.is(lines.at(-1), "would be 0 created, 2 changed, 1 unchanged");
      const [, list] = await status(["--format", "markdown"]);
      assert.match(list[0]!, /^- would change dashboard "Board \\\*1\\\*" of /);
      assert.ok(list.includes("  - contents: changes text a, adds text b, removes text c"));
      assert.match(await refusal("diff", ["--dir", own, "--format", "html"], given), "--format");
      assert.match(
        await refusal("diff", ["--dir", own, "--yes"], given),
        "only be used with apply",
      );
    } finally {
      await unlimited.close();
      rmSync(own, { recursive: true, force: true });
    }
  });

  test("the errors of `export` and `apply` name missing and unknown arguments", async () => {
    assert.match(await refusal("export", []), "--dir");
    assert.match(
      await refusal("export", ["--dir", dir, "--dry-run"]),
      "can only be used with apply",
    );
    assert.match(await refusal("apply", ["--dir", dir, "--token", "x"]), "--token");
    const { MANIFOLD_TOKEN: _, ...less } = environment;
    assert.match(await refusal("apply", ["--dir", dir], less), "MANIFOLD_TOKEN");
    const wrong = { ...environment, MANIFOLD_URL: "manifold" };
    assert.match(await refusal("apply", ["--dir", dir], wrong), "MANIFOLD_URL must be");
    assert.match(await refusal("apply", ["--dir", join(dir, "none")]), "no manifest.json");
  });

  test("wrong credentials, an unreachable host and a server that is not a host each cause a different error", async () => {
    const token = { ...environment, MANIFOLD_TOKEN: "wrong" };
    assert.match(await refusal("export", ["--dir", dir], token), /^Unauthorized/);
    const nobody = { ...environment, MANIFOLD_URL: "http://127.0.0.1:1" };
    assert.match(await refusal("export", ["--dir", dir], nobody), "127.0.0.1:1 does not respond");
    const server = createServer((_request, response) => response.end("<html>"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const page = { ...environment, MANIFOLD_URL: `http://127.0.0.1:${port}` };
    const message = await refusal("export", ["--dir", dir], page);
    server.closeAllConnections();
    server.close();
    assert.match(message, "is not JSON");
  });

  test("`export` fails with an embed token, because the token can read only some of the records", async () => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const made = await host.client.create<{ id: string; token: string }>("authorization", {
      type: "embed",
      username: "visitor",
      role: "viewer",
    });
    const pair = { ...environment, MANIFOLD_KEY: made.id, MANIFOLD_TOKEN: made.token };
    for (const command of ["export", "apply"] as const)
      assert.match(await refusal(command, ["--dir", dir], pair), "a key pair of type api");
  });
});
