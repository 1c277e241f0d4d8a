import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { createClient } from "../../../core/web/client/index.ts";
import { noteMissing } from "../../support/layer.ts";
import { openTestHost } from "../../support/openTestHost.ts";
import { createPluginMessages } from "../../support/pluginMessages.ts";
import { openPythonPlugin } from "../../support/pythonPlugin.ts";
import { openRecordingProxy } from "../../support/recordingProxy.ts";
import { suite } from "../../support/suite.ts";

const hasPython = () =>
  spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]).status === 0;

const trips = {
  id: "trips",
  columns: [
    { id: "city", type: "hierarchy" },
    { id: "km", type: "numeric" },
    { id: "at", type: "datetime" },
  ],
  rows: [
    ["Ghent", 3, "2024-01-07T12:00:00.000Z"],
    ["Lille", 5.5, "2024-01-08T00:00:00.000Z"],
    ["Ghent", null, "2024-02-01T00:00:00.000Z"],
    [null, 1, null],
    ["ghent", 9, "2024-01-14T23:59:59.000Z"],
  ],
};

const text = (id: string) => ({ id, name: { en: id } });

suite("plugins/python with a host", (test) => {
  test.deep(
    "a host queries a Python plugin over SQLite with requests that the OpenAPI description contains",
    async () => {
      if (!hasPython()) return noteMissing("python3 of version 3.9 or newer, for plugins/python");
      const folder = mkdtempSync(join(tmpdir(), "manifold-python-"));
      const file = join(folder, "tables.json");
      writeFileSync(file, JSON.stringify([trips]));
      const program = join(import.meta.dirname, "sqlite_plugin.py");
      // The host makes the secret of a plugin, so this plugin accepts every caller on this machine.
      const plugin = await openPythonPlugin("", [program, file]);
      const proxy = await openRecordingProxy(plugin.url);
      const host = await openTestHost({ egressAllow: ["127.0.0.1"] });
      try {
        const { key, token } = host.madeCredentials ?? { key: "", token: "" };
        const client = createClient({ url: host.url, key, token });
        await client.create("plugin", {
          slug: "pythontrips",
          name: { en: "Trips" },
          base_url: proxy.url,
          protocol_version: "manifold-1",
          authorize: "none",
        });
        const account = await client.create<{ id: string }>("account", {
          provider: "pythontrips",
          name: "trips",
        });
        const { data } = await client.create<{
          data: { id: string; columns: { id: string; source_name: string }[] }[];
        }>("dataprovider", {
          provider: "pythontrips",
          account_id: account.id,
          action: "create",
          datasets: ["trips"],
        });
        const column = (name: string) => ({
          dataset_id: data[0]?.id,
          column_id: data[0]?.columns.find(({ source_name }) => source_name === name)?.id,
        });
        const query = async (find: Readonly<Record<string, unknown>>) =>
          (await client.get<{ readonly data: unknown }>("data", find)).data;
        const sum = { ...column("km"), aggregation: { type: "sum" } };
        assert.equal(
          await query({
            dimensions: [column("city")],
            measures: [sum],
            where: [{ expression: "? > ?", parameters: [column("km"), 2] }],
            order: [{ ...sum, order: "desc" }],
          }),
          [
            [text("ghent"), 9],
            [text("Lille"), 5.5],
            [text("Ghent"), 3],
          ],
        );
        assert.equal(
          await query({ dimensions: [{ ...column("at"), level: 4 }], measures: [sum] }),
          [
            ["2024-01-01T00:00:00.000Z", 3],
            ["2024-01-08T00:00:00.000Z", 14.5],
            ["2024-01-29T00:00:00.000Z", null],
            [null, 1],
          ],
        );
        assert.equal(
          await query({
            dimensions: [column("city")],
            measures: [sum],
            where: [{ expression: "? like ?", parameters: [column("city"), "GH"] }],
          }),
          [
            [text("Ghent"), 3],
            [text("ghent"), 9],
          ],
        );
        const messages = createPluginMessages();
        const faults = proxy.exchanges.map((exchange) => messages.faultOf(exchange));
        assert.equal(
          faults.filter((fault) => fault !== undefined),
          [],
        );
        const queries = proxy.exchanges.filter(({ path }) => path === "/query");
        assert.ok(queries.some(({ body }) => JSON.stringify(body).includes('"pushdown":true')));
        assert.ok(queries.every(({ status }) => status === 200));
        assert.ok(proxy.exchanges.some(({ path }) => path === "/datasets"));
      } finally {
        await host.close();
        await proxy.close();
        await plugin.close();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});
