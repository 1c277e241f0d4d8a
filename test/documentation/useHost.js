// Runs in a folder in which only the packed host and client are installed. Uses every part of the host that depends on
// a bundled or optional package, and prints what it found as JSON.
import { createServer } from "node:http";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@manifold-analytics/client";
import { openHost } from "@manifold-analytics/host";

const folder = import.meta.dirname;
const dataDir = join(folder, "data");
const drivers = () => {
  try {
    return readdirSync(join(dataDir, "drivers"));
  } catch {
    return [];
  }
};
writeFileSync(join(folder, "trips.csv"), "city,km\nGhent,1\nLille,2\nGhent,3\n");

// A plugin over HTTP, which the host calls through its guard.
const plugin = createServer((request, response) => {
  response.setHeader("Content-Type", "application/json");
  response.end(request.url === "/datasets" ? "[]" : "{}");
});
await new Promise((resolve) => plugin.listen(0, "127.0.0.1", resolve));
const { port } = plugin.address();

const free = createServer();
await new Promise((resolve) => free.listen(0, "127.0.0.1", resolve));
const hostPort = free.address().port;
await new Promise((resolve) => free.close(resolve));
const publicUrl = `http://localhost:${hostPort}`;

const host = await openHost({
  dataDir,
  port: hostPort,
  logLevel: "silent",
  workers: 1,
  warmUp: false,
  publicUrl,
  egressAllow: ["127.0.0.1"],
  fileFolders: [folder],
});
const pair = host.madeCredentials;
const client = createClient({ url: host.url, ...pair });
const found = {};

const { rows } = await client.create("data", {
  type: "create",
  data: [
    ["a", 1],
    ["a", 2],
  ],
  options: { header: ["text", "number"] },
});
const of = (index) => ({ dataset_id: rows[0].id, column_id: rows[0].columns[index].id });
const query = { dimensions: [of(0)], measures: [of(1)] };
found.answer = (await client.get("data", query)).data;

const item = {
  id: "bars",
  type: "bar-chart",
  options: { title: { en: "Bars" } },
  position: { col: 0, row: 0, sizeX: 24, sizeY: 20 },
  slots: [
    { name: "x-axis", content: [{ datasetId: rows[0].id, columnId: rows[0].columns[0].id }] },
    { name: "measure", content: [{ datasetId: rows[0].id, columnId: rows[0].columns[1].id }] },
  ],
};
const contents = { version: "0.1.99", views: [{ screenModus: "desktop", items: [item] }] };
const dashboard = await client.create("securable", {
  type: "dashboard",
  name: { en: "d" },
  contents,
});
const exported = async (properties) => {
  const response = await fetch(`${host.url}/0.1.0/export`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ action: "create", version: "0.1.0", ...pair, properties }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return response.status === 200 ? bytes.subarray(0, 4).toString("latin1") : bytes.toString();
};
found.files = {};
for (const type of ["pdf", "png", "svg"])
  found.files[type] = await exported({
    type,
    securable_id: dashboard.id,
    item_id: "bars",
    width: 400,
    height: 300,
  });
for (const type of ["xlsx", "parquet", "arrow"])
  found.files[type] = await exported({ type, query });

const passkey = await fetch(`${publicUrl}/auth/passkey`, {
  method: "POST",
  headers: {
    "Content-Type": "application/json",
    Origin: publicUrl,
    "X-Manifold-Console": "1",
  },
  body: "{}",
});
found.passkey = [passkey.status, (await passkey.text()).includes("challenge")];

// Calls of the host to other servers use the bundled HTTP client.
const { id: pluginId } = await client.create("plugin", {
  slug: "planted",
  name: { en: "Planted" },
  base_url: `http://127.0.0.1:${port}`,
});
found.plugin = typeof pluginId;
const planted = await client.create("account", { provider: "planted", name: { en: "Planted" } });
found.pluginAccount = planted.provider;

// A caller without valid credentials must not make the host install a driver.
const stranger = createClient({ url: host.url, key: pair.key, token: "wrong" });
found.stranger = await stranger
  .create("account", { provider: "duckdb", host: join(folder, "trips.csv"), name: { en: "d" } })
  .then(
    () => "created",
    ({ status }) => [status, drivers().length],
  );
found.duckdb = await client
  .create("account", { provider: "duckdb", host: join(folder, "trips.csv"), name: { en: "d" } })
  .then(({ provider }) => provider, String);
found.mysql = await client
  .create("account", {
    provider: "mysql",
    host: "127.0.0.1",
    port: "1",
    identifier: "u",
    token: "t",
    name: { en: "m" },
  })
  .then(
    () => "created",
    ({ code, message }) => [code, message],
  );
found.drivers = drivers().map((name) => name.split("-")[0]);
await host.close();
plugin.close();
console.log(JSON.stringify(found));
