import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { findNode20 } from "../../support/findNode20.ts";
import { noteMissing } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";
import { writeJavaScript } from "../../support/writeJavaScript.ts";

const root = join(import.meta.dirname, "../../..");
const folders = ["plugins/protocol", "plugins/sdk", "core/web/client"];

const program = `
import { createClient } from "./core/web/client/index.js";
import { definePlugin, serve } from "./plugins/sdk/index.js";
const plugin = definePlugin({
  datasets: [{ id: "trips", columns: [{ id: "km", type: "numeric" }, { id: "at", type: "datetime" }] }],
  rows: async function* () { yield [12.5, "2024-01-05"]; yield [null, new Date(0)]; },
});
const served = await serve(plugin, { secret: "a-secret-of-node-20" });
const headers = { "x-secret": "a-secret-of-node-20", "x-manifold-protocol": "manifold-1" };
const query = { id: "trips", columns: [], filters: [], options: { pushdown: false } };
const answer = await fetch(served.url + "/query", { method: "POST", headers, body: JSON.stringify(query) });
const refused = await fetch(served.url + "/datasets");
const client = createClient({ url: served.url, key: "key", token: "token" });
const failure = await client.get("plugin").catch((thrown) => thrown.name);
console.log(JSON.stringify([answer.status, (await answer.json()).columns[0].values, refused.status, failure]));
await served.close();
`;

suite("plugins/sdk on the oldest Node", (test) => {
  test.deep("the client, and plugins created with definePlugin and serve, run on Node 20", () => {
    const node = findNode20();
    if (node === undefined) return noteMissing("Node 20, for plugins/sdk and core/web/client");
    const dir = mkdtempSync(join(tmpdir(), "manifold-node20-"));
    try {
      writeJavaScript(dir, folders);
      symlinkSync(join(root, "node_modules"), join(dir, "node_modules"));
      writeFileSync(join(dir, "program.js"), program);
      const output = execFileSync(node, [join(dir, "program.js")], {
        encoding: "utf8",
        // The options of the tests are for Node 26.
        env: { ...process.env, NODE_OPTIONS: "" },
      });
      assert.equal(JSON.parse(output), [200, [12.5, null], 403, "ClientError"]);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});
