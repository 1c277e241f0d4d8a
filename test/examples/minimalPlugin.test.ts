import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { connect } from "../../core/sources/connections/connect.ts";
import { type Egress, openEgress } from "../../core/sources/connections/egress.ts";
import { overHttp } from "../../core/sources/connections/overHttp/index.ts";
import { rowsOfBatch } from "../../plugins/protocol/index.ts";
import { suite } from "../support/suite.ts";

const file = fileURLToPath(new URL("../../examples/minimal-plugin/plugin.ts", import.meta.url));

suite("examples/minimal-plugin", (test) => {
  let child: ChildProcess;
  let egress: Egress;
  let url: string;
  test.before(async () => {
    child = spawn(process.execPath, ["--conditions=manifold-source", file], {
      env: { SECRET: "example-secret" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    egress = openEgress({ allow: ["127.0.0.1"], timeoutMs: 10_000, sizeBytes: 2 ** 20 });
    const [line] = await once(createInterface(child.stdout!), "line");
    url = /http:\/\/\S+/.exec(String(line))?.[0] ?? "";
  });
  test.after(async () => {
    egress.close();
    if (child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  });

  const caller = () => ({ signal: new AbortController().signal });
  for (const protocolVersion of ["manifold-1", "3.0.0", "1.0.0"] as const)
    test(`a host lists and reads the airports of the minimal plugin over protocol ${protocolVersion}`, async () => {
      const remote = {
        slug: "airports",
        baseUrl: url,
        protocolVersion,
        secret: "example-secret",
        pushdown: false,
        supportsDistinctcount: false,
      };
      const connection = connect({
        name: "airports",
        plugin: await overHttp(remote, egress),
        credentials: { properties: {} },
        fingerprint: "f",
        timeoutMs: 10_000,
        sizeBytes: 2 ** 20,
      });
      await connection.authorize(caller());
      const [dataset] = await connection.datasets(caller());
      assert.equal(
        dataset?.columns.map(({ id }) => id),
        ["code", "city", "passengers", "opened"],
      );
      const query = {
        id: "airports",
        columns: [{ column_id: "city" }],
        filters: [],
        options: { pushdown: false },
      };
      const rows = rowsOfBatch(await connection.query(query, dataset!, caller()));
      assert.is(rows.length, 7);
      assert.equal(rows[0], ["ATL", "Atlanta", 108.1, "1926-09-15T00:00:00.000Z"]);
      assert.equal(rows[6], ["BRU", "Brussels", 23.6, null]);
    });

  test("the minimal plugin refuses requests without its secret", async () => {
    const answer = await fetch(`${url}/datasets`);
    assert.is(answer.status, 403);
    assert.is(((await answer.json()) as { code: string }).code, "PLUGIN_FORBIDDEN");
  });
});
