import * as assert from "uvu/assert";
import { open } from "../../../connectors/clickhouse/index.ts";
import {
  rowsOfBatch,
  type Cell,
  type Plugin,
  type Query,
} from "../../../plugins/protocol/index.ts";
import {
  clickhouseSuite,
  openClickhouseDatabase,
  type ClickhouseDatabase,
} from "../../support/clickhouseDatabase.ts";
import { rounds } from "../../support/layer.ts";
import { openReach } from "../../support/openReach.ts";

const hostile = [
  `"; drop table x; --`,
  "`; drop table x; --",
  "'; drop table x; --",
  "a.b",
  'a"."b',
  "a`b",
  "a\\",
  "a\\`b",
  "{p1:String}",
  "line\nbreak\ttab\rreturn\bback\fform",
  "😀 ',\"`",
  "--",
  "/* */",
  "\\N",
  "\\x41",
  "%s ?",
  '--manifold\r\nContent-Disposition: form-data; name="query"\r\n\r\ndrop table x',
];
const values = [...hostile, "", " ", "a\0b", "\0", "\u2028", "NULL", "nan", "[1]", "\ufeff"];

const quoted = (name: string) => `\`${name.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``;
const literal = (text: string) => `unhex('${Buffer.from(text).toString("hex")}')`;

clickhouseSuite("connectors/clickhouse: hostile names and values", (test) => {
  let database: ClickhouseDatabase;
  let plugin: Plugin;
  const rowsOf = async (query: Query) => {
    const { host, port, admin } = database;
    const properties = { port: String(port), scope: database.database };
    const credentials = { host, key: admin.name, token: admin.password, properties };
    const { signal } = new AbortController();
    return rowsOfBatch(await plugin.query({ credentials, signal, query }));
  };
  const plain = { filters: [], options: { pushdown: false } };

  test.before(async () => {
    database = await openClickhouseDatabase();
    await database.run(
      "create table x (value String, other String) engine = MergeTree order by value",
    );
    const rows = values.map((value) => `(${literal(value)}, ${literal(value)})`);
    await database.run(`insert into x values ${rows.join(", ")}`);
    plugin = await open({ reach: openReach(), timeoutMs: 30_000, sizeBytes: 2 ** 26 });
  });
  test.after(async () => {
    await plugin.close?.();
    await database.close();
  });

  test("hostile values in any clause stay values and cannot change tables", async () => {
    const id = `${database.database}.x`;
    const columns = [{ column_id: "value" }];
    const before = await database.run("select count(), sum(cityHash64(*)) from x");
    const all = values.toSorted((one, other) =>
      Buffer.compare(Buffer.from(one), Buffer.from(other)),
    );
    for (const value of rounds({ quick: values.filter((_, at) => at % 3 === 0), deep: values })) {
      const found = async (expression: "=" | "in" | "like" | "starts with" | "ends with") => {
        const list: Cell[] = expression === "in" ? [value, "no such value"] : [value];
        const filters = [{ column_id: "value", expression, value: list }];
        return (await rowsOf({ id, ...plain, columns, filters })).flat();
      };
      assert.equal(await found("="), [value]);
      assert.equal(await found("in"), [value]);
      for (const expression of ["like", "starts with", "ends with"] as const)
        assert.ok((await found(expression)).includes(value), JSON.stringify([expression, value]));
      const filters = [{ column_id: "other", expression: ">=" as const, value: [value] }];
      const having = [{ column: 0, expression: "!=" as const, value: [value] }];
      const above = await rowsOf({
        id,
        columns,
        filters,
        having,
        order: [{ column: 0, order: "asc" }],
        options: { pushdown: true },
      });
      assert.equal(above.flat(), all.slice(all.indexOf(value) + 1));
    }
    assert.is(await database.run("select count(), sum(cityHash64(*)) from x"), before);
  });

  test("filters accept lists of any length", async () => {
    const id = `${database.database}.x`;
    const many = Array.from({ length: 20_000 }, (_, index) => `value '${index}'\n`);
    const filters = [{ column_id: "value", expression: "in" as const, value: [...many, "a.b"] }];
    assert.equal(await rowsOf({ id, ...plain, columns: [{ column_id: "other" }], filters }), [
      ["a.b"],
    ]);
  });

  test("hostile table and column names stay names in every clause", async () => {
    const names = rounds({ quick: hostile.filter((_, at) => at % 4 === 0), deep: hostile });
    for (const [index, name] of names.entries()) {
      const columns = hostile.map((each) => `${quoted(each)} UInt32`).join(", ");
      await database.run(`create table ${quoted(name)} (${columns}) engine = Memory`);
      await database.run(
        `insert into ${quoted(name)} values (${hostile.map((_, at) => at + index)})`,
      );
    }
    const { host, port, admin } = database;
    const properties = { port: String(port), scope: database.database };
    const datasets = await plugin.datasets({
      credentials: { host, key: admin.name, token: admin.password, properties },
      signal: new AbortController().signal,
    });
    const named = new Map(datasets.map((dataset) => [dataset.name["en"], dataset]));
    assert.equal([...named.keys()].toSorted(), [...names, "x"].toSorted());
    for (const [index, name] of names.entries()) {
      const dataset = named.get(name)!;
      assert.equal(
        dataset.columns.map((column) => column.id),
        hostile,
      );
      const columns = hostile.map((column_id) => ({ column_id }));
      const filters = hostile.map((column_id) => ({
        column_id,
        expression: ">=" as const,
        value: [0],
      }));
      const order = columns.map((_, column) => ({ column, order: "desc" as const }));
      const rows = await rowsOf({
        id: dataset.id,
        columns,
        filters,
        order,
        options: { pushdown: true },
      });
      assert.equal(rows, [hostile.map((_, at) => at + index)]);
    }
    assert.is((await database.run("show tables")).trim().split("\n").length, names.length + 1);
  });
});
