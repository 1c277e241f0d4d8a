import * as assert from "uvu/assert";
import { storeDialect } from "../../../../connectors/clickhouse/store/storeDialect.ts";
import {
  columnOfCells,
  rowsOfBatch,
  type Cell,
  type Plugin,
  type Query,
} from "../../../../plugins/protocol/index.ts";
import { compileQuery } from "../../../../plugins/sql/index.ts";
import { clickhouseSuite } from "../../../support/clickhouseDatabase.ts";
import { openClickhouseStore, type ClickhouseStore } from "../../../support/clickhouseStore.ts";

const call = { credentials: { properties: {} }, signal: new AbortController().signal };
const signs = {
  "<": (one: number, other: number) => one < other,
  "<=": (one: number, other: number) => one <= other,
  ">": (one: number, other: number) => one > other,
  ">=": (one: number, other: number) => one >= other,
};
const operators = ["<", "<=", ">", ">="] as const;

clickhouseSuite("connectors/clickhouse/store/storeDialect", (test) => {
  let store: ClickhouseStore;
  let plugin: Plugin;
  test.before(async () => {
    store = await openClickhouseStore();
    ({ plugin } = store);
  });
  test.after(() => store.close());

  const create = async (id: string, at: readonly Cell[], n: readonly Cell[]) => {
    const columns = [
      { id: "at", type: "datetime" as const },
      { id: "n", type: "numeric" as const },
    ];
    const write = { action: "create" as const, id, columns, rowsFollow: true };
    await plugin.write?.({ ...call, write });
    const batch = {
      rowCount: at.length,
      columns: [columnOfCells(columns[0]!, at), columnOfCells(columns[1]!, n)],
    };
    const rows = { columnIds: ["at", "n"], batch };
    await plugin.write?.({ ...call, write: { action: "append", id, rows } });
  };
  /** Returns the plan by which the server executes a query. */
  const planOf = async (query: Query): Promise<string> => {
    const text = await store.database.run(
      `select name, type from system.columns where database = currentDatabase() and table = '${query.id}' and name != 'manifold write' order by position format JSONCompactEachRow`,
    );
    const columns = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as [string, string])
      .map(([name, nativeType]) => {
        const type = nativeType.includes("Date") ? ("datetime" as const) : ("numeric" as const);
        return { name, nativeType, type };
      });
    const table = {
      schema: store.database.database,
      name: query.id,
      kind: "table" as const,
      columns,
    };
    const { statement } = compileQuery({ query, table, dialect: storeDialect });
    const bound = statement.text.replaceAll(
      /\{p(\d+):(\w+)\}/g,
      (_, place: string, type: string) =>
        `_CAST('${String(statement.values[Number(place) - 1])}', '${type}')`,
    );
    return store.database.run(`explain actions = 1, indexes = 1 ${bound} format TSVRaw`);
  };

  test("filters compare datetimes as instants, whatever the stored type and the year of the bound", async () => {
    const seconds = ["1970-01-01T00:00:00.000Z", "2024-02-29T12:00:00.000Z", null];
    const others = ["0001-01-01T00:00:00.001Z", "1899-12-31T23:59:59.999Z", "9999-12-31T00:00:00Z"];
    const bounds = [
      "-000001-01-01T00:00:00.000Z",
      "1899-12-31T23:59:59.999Z",
      "1900-01-01T00:00:00.000Z",
      "1969-12-31T23:59:59.999Z",
      "1970-01-01T00:00:00.000Z",
      "1970-01-01T00:00:00.001Z",
      "2024-02-29T11:59:59.999Z",
      "2024-02-29T12:00:00.000Z",
      "2106-02-07T06:28:16.000Z",
      "2299-12-31T23:59:59.999Z",
      "2300-01-01T00:00:00.000Z",
      "9999-12-31T00:00:00.000Z",
    ];
    for (const [id, stored] of [
      ["seconds", seconds],
      ["milliseconds", [...seconds, ...others]],
    ] as const) {
      await create(
        id,
        stored,
        stored.map(() => 1),
      );
      for (const bound of bounds)
        for (const operator of operators) {
          const query: Query = {
            id,
            columns: [{ column_id: "at" }],
            filters: [{ column_id: "at", expression: operator, value: [bound] }],
            order: [{ column: 0, order: "asc" }],
            options: { pushdown: false },
          };
          const found = rowsOfBatch(await plugin.query({ ...call, query })).map(([at]) => at);
          const expected = stored
            .flatMap((at) => (at === null ? [] : [Date.parse(at)]))
            .filter((at) => signs[operator](at, Date.parse(bound)))
            .toSorted((one, other) => one - other)
            .map((at) => new Date(at).toISOString());
          assert.equal(found, expected, `${id} ${operator} ${bound}`);
        }
    }
  });

  test("a datetime filter reads only the granules in its range, even after the column's type widened", async () => {
    const dayMs = 86_400_000;
    const first = Date.UTC(2020, 0);
    const rowCount = 5 * 8192;
    const instants = Array.from({ length: rowCount }, (_, row) =>
      new Date(first + row * dayMs).toISOString(),
    );
    await create(
      "ranged",
      instants,
      instants.map(() => 1),
    );
    const query: Query = {
      id: "ranged",
      columns: [{ column_id: "n", aggregation: "sum" }],
      filters: [
        { column_id: "at", expression: ">=", value: [instants[100]!] },
        { column_id: "at", expression: "<", value: [instants[200]!] },
      ],
      options: { pushdown: true },
    };
    const granules = async () =>
      /Name: at range[^]*?Granules: (\S+)/.exec(await planOf(query))?.[1];
    assert.is(await granules(), "1/5");
    const rows = {
      columnIds: ["at"],
      batch: {
        rowCount: 1,
        columns: [columnOfCells({ id: "at", type: "datetime" }, ["2020-01-01T00:00:00.001Z"])],
      },
    };
    await plugin.write?.({ ...call, write: { action: "append", id: "ranged", rows } });
    assert.match((await granules()) ?? "", /^1\//);
    assert.equal(rowsOfBatch(await plugin.query({ ...call, query })), [[100]]);
    await plugin.write?.({ ...call, write: { action: "alter", id: "ranged", drop: ["at"] } });
    assert.equal(rowsOfBatch(await plugin.query({ ...call, query: { ...query, filters: [] } })), [
      [rowCount],
    ]);
  });

  test("sums and averages compute only the aggregates that their column's type needs", async () => {
    await create("wholes", [null], [1]);
    await create("doubles", [null], [0.5]);
    await create("nulls", [null, null], [0.5, null]);
    await create("huge", [null], [1e300]);
    const aggregatesOf = async (id: string, aggregation: "sum" | "average", isGrouped: boolean) => {
      const plan = await planOf({
        id,
        columns: [...(isGrouped ? [{ column_id: "at" }] : []), { column_id: "n", aggregation }],
        filters: [],
        options: { pushdown: true },
      });
      return /Aggregates: (.*)/.exec(plan)?.[1];
    };
    assert.is(await aggregatesOf("wholes", "sum", true), "sum(n)");
    assert.is(await aggregatesOf("wholes", "sum", false), "sumOrNull(n)");
    assert.is(await aggregatesOf("wholes", "average", true), "avg(n)");
    assert.is(await aggregatesOf("doubles", "sum", true), "sumKahan(n)");
    assert.is(await aggregatesOf("doubles", "sum", false), "sumKahanOrNull(n)");
    assert.is(await aggregatesOf("doubles", "average", true), "sumKahan(n), count(n)");
    assert.is(await aggregatesOf("nulls", "sum", true), "sumKahan(n)");
    assert.match((await aggregatesOf("huge", "sum", true)) ?? "", /^sumKahan\(n\), sumKahan\(n \//);
  });
});
