import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { PGlite } from "@electric-sql/pglite";
import * as assert from "uvu/assert";
import { createPglitePlugin } from "../../examples/sql-connector/pgliteConnector.ts";
import { tableId } from "../../plugins/sql/index.ts";
import { connectorSuite, type ConnectorEngine } from "../connectors/connectorSuite.ts";
import type { AwkwardColumn } from "../support/awkward.ts";
import { rounds } from "../support/layer.ts";
import { suite } from "../support/suite.ts";

const file = new URL("../../examples/sql-connector/pgliteConnector.ts", import.meta.url);

suite("examples/sql-connector", (test) => {
  test("the SQL connector example has fewer than 60 lines and imports only manifold/plugin/sql", async () => {
    const text = await readFile(file, "utf8");
    const lines = text.trimEnd().split("\n");
    assert.ok(lines.length < 60, `${lines.length} lines`);
    assert.ok(lines.every((line) => line.length <= 120));
    const imports = Array.from(text.matchAll(/ from "([^"]+)"/g), ([, name]) => name);
    assert.equal(imports, ["@electric-sql/pglite", "@manifold-analytics/plugin/sql"]);
  });

  test.deep("the SQL connector example lists and reads a dataset", async () => {
    const main = fileURLToPath(new URL("../../examples/sql-connector/main.ts", import.meta.url));
    const child = spawn(process.execPath, ["--conditions=manifold-source", main], {
      env: { SECRET: "example-secret" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const [line] = await once(createInterface(child.stdout!), "line");
      const url = /http:\/\/\S+/.exec(String(line))?.[0] ?? "";
      const post = async (path: string, body: object) => {
        const headers = { "X-Secret": "example-secret", "Content-Type": "application/json" };
        const init = { method: "POST", headers, body: JSON.stringify(body) };
        return (await fetch(`${url}${path}`, init)).json() as Promise<unknown>;
      };
      assert.match(JSON.stringify(await post("/datasets", {})), '"public.trips"');
      const query = {
        id: "public.trips",
        columns: [{ column_id: "city" }, { column_id: "km", aggregation: "sum" }],
        filters: [{ column_id: "day", expression: "is not null", value: [] }],
        options: { pushdown: true },
      };
      assert.match(JSON.stringify(await post("/query", query)), "Mons");
    } finally {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    }
  });
});

connectorSuite("examples/sql-connector", openEngine, {
  tableCount: rounds({ quick: 0, deep: 8 }),
});

const nativeTypes: Readonly<Record<AwkwardColumn["kind"], readonly string[]>> = {
  text: ["text", "varchar(100)", 'text collate "C"'],
  whole: ["integer", "smallint", "bigint", "numeric(5)", "float8", "real"],
  big: ["bigint", "numeric(20)", "numeric"],
  decimal: ["numeric(30, 10)", "numeric"],
  double: ["float8"],
  datetime: ["timestamptz", "timestamp"],
  date: ["date"],
};

async function openEngine(): Promise<ConnectorEngine> {
  const database = await PGlite.create("memory://");
  await database.exec('create schema "odd.schema"');
  const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
  const nameOf = (name: string) => `"odd.schema".${quote(name)}`;
  const write = async (text: string) => {
    await database.exec("set default_transaction_read_only = off");
    await database.exec(text);
  };
  let last: string | undefined;
  return {
    plugin: createPglitePlugin(database),
    credentials: { properties: {} },
    limits: { nan: true, years: [1000, 9999] },
    async fill({ name, columns, rows }, random) {
      if (last !== undefined) await write(`drop table ${nameOf(last)}`);
      last = name;
      const defined = columns.map(
        ({ id, kind }) => `${quote(`source.${id}`)} ${random.pick(nativeTypes[kind])}`,
      );
      await write(`create table ${nameOf(name)} (${defined.join(", ")})`);
      const places = columns.map((_, index) => `$${index + 1}`).join(", ");
      for (const row of rows)
        await database.query(`insert into ${nameOf(name)} values (${places})`, [...row]);
      return tableId({ schema: "odd.schema", name });
    },
    contents: async () => [
      (await database.query("select oid::text, relname from pg_class order by oid")).rows,
      last === undefined
        ? []
        : (await database.query(`select t::text from ${nameOf(last)} t`)).rows,
    ],
    close: () => database.close(),
  };
}
