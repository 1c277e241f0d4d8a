import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { parquetWriteBuffer } from "hyparquet-writer";
import { createClient, type Client } from "../../core/web/client/index.ts";
import { openTestCatalog } from "../support/catalog.ts";
import { openClickhouseDatabase } from "../support/clickhouseDatabase.ts";
import { findTestServer } from "../support/findTestServer.ts";
import { forwardSocket } from "../support/forwardSocket.ts";
import { findMariadb } from "../support/mariadbServer.ts";
import { openMariadbDatabase } from "../support/mariadbDatabase.ts";
import { openLegacyPlugin } from "../support/legacyPlugin.ts";
import { openTestHost } from "../support/openTestHost.ts";

const run = promisify(execFile);

/** The environment in which the documentation's shell blocks run: a host, and everything else that the blocks name. */
export interface ShellWorld {
  readonly client: Client;
  readonly url: string;
  readonly key: string;
  readonly token: string;
  /**
   * Runs the blocks of a page in one shell, one after another. Rejects with the error output of the first refused call.
   */
  run(blocks: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

/** Functions and variables that the README's first block defines for all later blocks. */
const prelude = `
curl() {
  "$NODE" "$SEND" "$@" || exit 1
  if [ -f "$ACCOUNT_FILE" ]; then ACCOUNT=$(cat "$ACCOUNT_FILE"); fi
}
call() { curl -s http://127.0.0.1:4000/0.1.0/$1 -H 'Content-Type: application/json' -d "$2"; }
AUTH='"key":"'$KEY'","token":"'$TOKEN'","version":"0.1.0"'
MANIFOLD=http://127.0.0.1:4000
`;

/** Opens a host with a dataset, and the database, plugin and files that the pages name. */
export async function openShellWorld(): Promise<ShellWorld> {
  const folder = mkdtempSync(join(tmpdir(), "manifold-documentation-"));
  const exported = join(folder, "exports");
  mkdirSync(exported);
  writeFileSync(join(exported, "trips.csv"), "city,km\nGhent,3\nLille,NA\n");
  const column = { name: "distance", data: [3, 5.5], type: "DOUBLE" as const };
  writeFileSync(
    join(exported, "flights.parquet"),
    new Uint8Array(parquetWriteBuffer({ columnData: [column] })),
  );
  const shop = new DatabaseSync(join(folder, "shop.sqlite"));
  shop.exec("create table orders (id integer primary key, price real)");
  shop.close();
  const catalog = await openTestCatalog();
  await catalog.knex.raw("create table orders (id int primary key, price numeric)");
  const server = await findTestServer();
  const database = new URL(catalog.databaseUrl).pathname.slice(1);
  const postgres = await forwardSocket(`${server.host}/.s.PGSQL.${server.port}`);
  const api = createServer((_, response) => {
    response.setHeader("Content-Type", "application/json");
    response.end('{"data": [{"city": "Ghent", "km": 3}]}');
  });
  await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
  const { port: apiPort } = api.address() as AddressInfo;
  const km = { id: "km", name: { en: "Km" }, type: "numeric" };
  const trips = { id: "public.trips", name: { en: "Trips" }, columns: [km], rows: [[3]] };
  const plugin = await openLegacyPlugin({ version: "3.0.0", pushdown: true, datasets: [trips] });
  const clickhouse = await openClickhouseDatabase();
  const mariadb = findMariadb() === undefined ? undefined : await openMariadbDatabase();
  const host = await openTestHost({
    callsPerSecond: 0,
    egressAllow: ["127.0.0.1"],
    fileFolders: [folder],
  });
  const { key, token } = host.madeCredentials ?? { key: "", token: "" };
  const client = createClient({ url: host.url, key, token });
  await client.create("data", {
    type: "create",
    data: [["Ghent", 3]],
    options: { header: ["city", "km"] },
  });
  /** Returns the documented members of an account and their replacements for a test server. */
  const accountAt = (
    provider: string,
    shownPort: string,
    at: { readonly port: number; readonly user: string; readonly password: string },
    scope: string,
  ): readonly [string, string] => [
    `"provider": "${provider}", "host": "db.example.org", "port": "${shownPort}", "scope": "sales",
    "identifier": "reader", "token": "<password>", "properties": { "ssl": "verify-full" }`,
    `"provider": "${provider}", "host": "127.0.0.1", "port": "${at.port}", "scope": "${scope}",
    "identifier": "${at.user}", "token": "${at.password}", "properties": { "ssl": "disable" }`,
  ];
  const atPostgres = { ...server, port: postgres.port };
  const replaced: readonly (readonly [string, string])[] = [
    accountAt("postgresql", "5432", atPostgres, database),
    ...(mariadb ? [accountAt("mysql", "3306", mariadb, mariadb.database)] : []),
    ["http://127.0.0.1:4000", host.url],
    ["http://127.0.0.1:5000", plugin.url],
    ['"slug":"mine"', '"slug":"mine","protocol_version":"3.0.0"'],
    ['"datasets":["<id>"]', '"datasets":["public.trips"]'],
    ['"host":"db.example.org"', `"host":"127.0.0.1","port":${postgres.port}`],
    ['"scope":"sales"', `"scope":"${database}"`],
    ['"identifier":"reader"', `"identifier":"${server.user}"`],
    ["<password>", server.password],
    [
      '"host": "https://clickhouse.example.com:8443/shop", "identifier": "reader", "token": "…"',
      `"host": "http://${clickhouse.host}:${clickhouse.port}/${clickhouse.database}", ` +
        `"identifier": "${clickhouse.locked.name}", "token": "${clickhouse.locked.password}"`,
    ],
    ["https://api.example.org/v1", `http://127.0.0.1:${apiPort}/v1`],
    ['"key": "…", "token": "…"', `"key": "${key}", "token": "${token}"`],
  ];
  return {
    client,
    url: host.url,
    key,
    token,
    async run(blocks) {
      const accountFile = join(folder, "account");
      rmSync(accountFile, { force: true });
      // On pages with several blocks, a block uses the account that the previous block created.
      const script = blocks.map((block) =>
        block.replaceAll('"account_id": "…"', `"account_id": "'$ACCOUNT'"`),
      );
      const { stdout } = await run("bash", ["-eu", "-c", prelude + script.join("\n")], {
        env: {
          ...process.env,
          NODE: process.execPath,
          NODE_OPTIONS: "",
          SEND: join(import.meta.dirname, "sendCall.ts"),
          ACCOUNT_FILE: accountFile,
          REPLACED: JSON.stringify(replaced),
          ACCOUNT: "",
          KEY: key,
          TOKEN: token,
        },
      });
      return stdout;
    },
    async close() {
      await host.close();
      await plugin.close();
      await clickhouse.close();
      await mariadb?.close();
      await postgres.close();
      await new Promise((resolve) => api.close(resolve));
      await catalog.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
