// This example connects to a database table and queries it. Start it with `npm run connector -- sqlite`.
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openHost } from "@manifold-analytics/host";
import { createClient } from "@manifold-analytics/client";
import { columnsOf } from "../support/columnsOf.ts";
import { type Cell, table } from "../support/table.ts";
import { databases } from "./databases.ts";

const closes: (() => Promise<void>)[] = [];

async function run(provider: string): Promise<void> {
  const open = databases[provider];
  if (!open)
    throw new Error(
      `the connector must be one of ${Object.keys(databases).join(", ")}, not ${provider}`,
    );
  const folder = await realpath(await mkdtemp(join(tmpdir(), "manifold-connector-")));
  closes.push(() => rm(folder, { recursive: true, force: true }));
  const {
    account,
    schema,
    table: name = "airports",
    column = "state",
    address,
    close,
  } = await open(folder);
  closes.push(close);
  const [key, token] = [randomUUID(), randomBytes(32).toString("base64url")];
  const host = await openHost({
    dataDir: process.env["MANIFOLD_DATA_DIR"] ?? join(folder, "host"),
    key,
    token,
    port: 0,
    // The host reads files only in these folders, and calls only these addresses in private networks.
    fileFolders: [folder],
    egressAllow: address === undefined ? [] : [address],
    logLevel: process.env["MANIFOLD_LOG_LEVEL"] ?? "warn",
  });
  closes.push(() => host.close());
  const client = createClient({ url: host.url, key, token });
  const { id: account_id } = await client.create<{ id: string }>("account", {
    name: "Airports",
    ...account,
  });
  const { data: made } = await client.create<{ data: { id: string }[] }>("dataprovider", {
    provider,
    account_id,
    tables: [{ schema, table: name }],
  });
  const dataset_id = String(made[0]?.id);
  const { [column]: column_id } = await columnsOf(client, dataset_id);
  const count = { dataset_id, column_id: "*", aggregation: { type: "count" } };
  const question = {
    dimensions: [{ dataset_id, column_id }],
    measures: [count],
    order: [{ ...count, order: "desc" }],
    limit: { by: 3, offset: 0 },
    explain: true,
  };
  const { data, explain } = await client.get<{
    data: readonly (readonly Cell[])[];
    explain: { readonly mode: string };
  }>("data", { queries: [question] });
  process.stdout.write(`${table([column, name], data)}\n`);
  process.stdout.write(`\nExplained: ${explain.mode}, by ${provider}\n`);
}

try {
  await run(process.argv[2] ?? "");
} finally {
  for (const close of closes.toReversed()) await close();
}
