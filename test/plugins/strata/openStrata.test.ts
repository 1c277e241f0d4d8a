import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import {
  operators,
  type Batch,
  type Expression,
  type Filter,
  type FunctionName,
  type Operator,
  type Plugin,
  type Query,
  type Write,
} from "../../../plugins/protocol/index.ts";
import { openStrata } from "../../../plugins/strata/index.ts";
import { suite } from "../../support/suite.ts";

const call = { credentials: { properties: {} }, signal: new AbortController().signal };

function toCells(batch: Batch): (number | string | null)[][] {
  return Array.from({ length: batch.rowCount }, (_, row) =>
    batch.columns.map((vector) => {
      if (vector.type === "hierarchy") return vector.dictionary[vector.codes[row] ?? -1] ?? null;
      const value = vector.values[row] ?? NaN;
      return Number.isNaN(value) ? null : value;
    }),
  );
}

async function rejects(promise: Promise<unknown>, code: string, mentions = ""): Promise<void> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown as Error & { code?: string },
  );
  assert.is(error?.name, "PluginError", String(error?.stack));
  assert.is(error?.code, code);
  assert.ok(error?.message.includes(mentions), error?.message);
}

suite("plugins/strata/openStrata", (test) => {
  let dir: string;
  let plugin: Plugin;
  const write = (change: Write) =>
    plugin.write?.({ ...call, write: change }) ?? Promise.reject(new Error("no write"));
  const fetchRows = async (query: Partial<Query>) =>
    toCells(
      await plugin.query({
        ...call,
        query: {
          id: "sales",
          columns: [{ column_id: "id" }],
          filters: [],
          options: { pushdown: false },
          ...query,
        },
      }),
    );
  const ids = async (filter: Filter) => (await fetchRows({ filters: [filter] })).map(([id]) => id);

  test.before(async () => {
    dir = await mkdtemp(join(tmpdir(), "strata-test-"));
    plugin = await openStrata({ dir, workers: 1, memoryBytes: 2 ** 28, warmUp: false });
    await write({
      action: "create",
      id: "sales",
      columns: [
        { id: "id", type: "numeric" },
        { id: "price", type: "numeric" },
        { id: "sold", type: "datetime" },
        { id: "city", type: "hierarchy" },
      ],
    });
    await write({
      action: "append",
      id: "sales",
      rows: {
        columnIds: ["city", "id", "price", "sold"],
        batch: {
          rowCount: 5,
          columns: [
            {
              type: "hierarchy",
              codes: Int32Array.of(0, 1, 2, 0, -1),
              dictionary: ["Gent", "gent", "Brugge"],
            },
            { type: "numeric", values: Float64Array.of(1, 2, 3, 4, 5) },
            { type: "numeric", values: Float64Array.of(10, 20, NaN, 40, 50) },
            {
              type: "datetime",
              values: Float64Array.of(
                Date.UTC(2024, 0, 1),
                Date.UTC(2024, 0, 31, 23, 30),
                Date.UTC(2024, 1, 2),
                NaN,
                Date.UTC(2025, 0, 1),
              ),
            },
          ],
        },
      },
    });
  });
  test.after(async () => {
    await plugin.close?.();
    await rm(dir, { recursive: true, force: true });
  });

  test("filters follow the protocol, and a negated filter returns exactly the other rows", async () => {
    const cases: readonly (readonly [Filter, readonly number[]])[] = [
      [{ column_id: "city", expression: "=", value: ["Gent"] }, [1, 4]],
      [{ column_id: "city", expression: "in", value: ["gent", null] }, [2, 5]],
      [{ column_id: "city", expression: "in", value: [] }, []],
      [{ column_id: "city", expression: "like", value: ["EN"] }, [1, 2, 4]],
      [{ column_id: "city", expression: "starts with", value: ["br"] }, [3]],
      [{ column_id: "city", expression: "ends with", value: ["NT"] }, [1, 2, 4]],
      [{ column_id: "city", expression: "is null" }, [5]],
      [{ column_id: "city", expression: "=", value: [null] }, [5]],
      [{ column_id: "price", expression: ">=", value: [20] }, [2, 4, 5]],
      [{ column_id: "price", expression: "<", value: [20] }, [1]],
      [{ column_id: "price", expression: "is null" }, [3]],
      [{ column_id: "sold", expression: ">", value: ["2024-01-31T23:00:00Z"] }, [2, 3, 5]],
      [{ column_id: "sold", expression: "=", value: ["2024-01-01T01:00:00+01:00"] }, [1]],
      [
        { column_id: "sold", expression: "=", value: ["2024-01-01T00:00:00.000Z"], level: "month" },
        [1, 2],
      ],
    ];
    const negative = new Map<string, Operator>([
      ["=", "!="],
      ["is null", "is not null"],
      ...operators
        .filter((name) => name.startsWith("not "))
        .map((name) => [name.slice(4), name] as const),
    ]);
    for (const [filter, expected] of cases) {
      assert.equal(await ids(filter), expected, JSON.stringify(filter));
      const opposite = "expression" in filter ? negative.get(filter.expression) : undefined;
      if (opposite)
        assert.equal(
          await ids({ ...filter, expression: opposite } as Filter),
          [1, 2, 3, 4, 5].filter((id) => !expected.includes(id)),
          `${opposite} of ${JSON.stringify(filter)}`,
        );
    }
  });

  test("filters can be nested in groups, an empty AND passes all rows, and an empty OR passes no rows", async () => {
    assert.equal(
      await ids({
        or: [
          { column_id: "id", expression: "=", value: [1] },
          {
            and: [
              { column_id: "price", expression: ">", value: [10] },
              { column_id: "city", expression: "is null" },
            ],
          },
        ],
      }),
      [1, 5],
    );
    assert.equal((await ids({ and: [] })).length, 5);
    assert.equal((await ids({ or: [] })).length, 0);
  });

  test("the store can group by a level in a time zone, with `having`, `order` and `limit`", async () => {
    const answer = await fetchRows({
      columns: [
        { column_id: "sold", level: "month" },
        { column_id: "*", aggregation: "count" },
        { column_id: "price", aggregation: "average" },
        { column_id: "city", aggregation: "distinctcount" },
      ],
      order: [{ column: 0, order: "desc" }],
      limit: { by: 2, offset: 1 },
      having: [{ column: 1, expression: ">", value: [0] }],
      options: { pushdown: true, timezone_id: "Europe/Brussels" },
    });
    assert.equal(answer, [
      [Date.UTC(2024, 0, 31, 23), 2, 20, 2],
      [Date.UTC(2023, 11, 31, 23), 1, 10, 1],
    ]);
  });

  test("a query with measures but no dimensions returns one row, even over no rows", async () => {
    const columns: Query["columns"] = [
      { column_id: "price", aggregation: "sum" },
      { column_id: "price", aggregation: "count" },
      { column_id: "city", aggregation: "max" },
    ];
    assert.equal(await fetchRows({ columns, options: { pushdown: true } }), [[120, 4, "gent"]]);
    assert.equal(await fetchRows({ columns, filters: [{ or: [] }], options: { pushdown: true } }), [
      [null, 0, null],
    ]);
  });

  test("the store lists stored datasets with their columns but no temporary datasets", async () => {
    await write({
      action: "create",
      id: "scratch",
      columns: [{ id: "x", type: "numeric" }],
      temporary: true,
    });
    const listed = await plugin.datasets(call);
    assert.equal(
      listed.map(({ id, columns }) => [
        id,
        columns.map(({ id: column, type }) => `${column} ${type}`),
      ]),
      [["sales", ["id numeric", "price numeric", "sold datetime", "city hierarchy"]]],
    );
    await write({ action: "drop", id: "scratch" });
  });

  test("every write returns a new version of the dataset", async () => {
    const rows = {
      columnIds: ["x"],
      batch: { rowCount: 1, columns: [{ type: "numeric", values: Float64Array.of(1) } as const] },
    };
    const results = [
      await write({ action: "create", id: "w", columns: [{ id: "x", type: "numeric" }] }),
      await write({ action: "append", id: "w", rows, addColumns: [{ id: "y", type: "datetime" }] }),
      await write({ action: "replace", id: "w", rows }),
      await write({ action: "alter", id: "w", drop: ["y"] }),
    ];
    assert.equal(
      results.map(({ rowCount }) => rowCount),
      [0, 1, 1, 1],
    );
    assert.is(new Set(results.map(({ version }) => version)).size, 4);
    await write({ action: "drop", id: "w" });
    await rejects(write({ action: "append", id: "w", rows }), "PLUGIN_UNKNOWN_DATASET", "w");
  });

  test("an invalid query is refused, and the error names the column", async () => {
    const bad = (filter: unknown, code: string, mentions: string) =>
      rejects(ids(filter as Filter), code, mentions);
    await bad({ column_id: "nothing", expression: "is null" }, "PLUGIN_UNKNOWN_COLUMN", "nothing");
    await bad(
      { column_id: "__proto__", expression: "is null" },
      "PLUGIN_UNKNOWN_COLUMN",
      "__proto__",
    );
    await bad({ column_id: "price", expression: "=", value: ["x"] }, "PLUGIN_INVALID", "price");
    await bad({ column_id: "price", expression: "=", value: [1, 2] }, "PLUGIN_INVALID", "price");
    await bad({ column_id: "price", expression: "=" }, "PLUGIN_INVALID", "price");
    await bad({ column_id: "price", expression: "<", value: [null] }, "PLUGIN_INVALID", "price");
    await bad({ column_id: "price", expression: "like", value: ["1"] }, "PLUGIN_INVALID", "price");
    await bad({ column_id: "city", expression: "=", value: [1] }, "PLUGIN_INVALID", "city");
    await bad(
      { column_id: "sold", expression: "=", value: ["yesterday"] },
      "PLUGIN_INVALID",
      "sold",
    );
    await bad({ column_id: "sold", expression: "=", value: [5] }, "PLUGIN_INVALID", "sold");
    await bad(
      { column_id: "city", expression: "=", value: ["x"], level: "day" },
      "PLUGIN_INVALID",
      "city",
    );
    await bad(
      { column_id: "city", expression: "constructor", value: ["x"] },
      "PLUGIN_INVALID",
      "constructor",
    );
    await rejects(fetchRows({ id: "unknown" }), "PLUGIN_UNKNOWN_DATASET", "unknown");
    await rejects(
      fetchRows({
        columns: [{ column_id: "city", aggregation: "sum" }],
        options: { pushdown: true },
      }),
      "PLUGIN_INVALID",
      "city",
    );
    await rejects(
      fetchRows({
        columns: [{ column_id: "sold", level: "day" }],
        options: { pushdown: false, timezone_id: "Nowhere" },
      }),
      "PLUGIN_INVALID",
      "Nowhere",
    );
    await rejects(
      write({ action: "create", id: "sales", columns: [] }),
      "PLUGIN_CONFLICT",
      "sales",
    );
    let deep: Filter = { or: [] };
    for (let level = 0; level < 20_000; level++) deep = { and: [deep] };
    await rejects(ids(deep), "PLUGIN_INVALID", "nest");
  });

  test("`percentile` requires a fraction, `weightedaverage` a weight, and bins a numeric column", async () => {
    const grouped = (column: Query["columns"][number]) =>
      fetchRows({ columns: [column], options: { pushdown: true } });
    const price = (more: object) => grouped({ column_id: "price", ...more });
    assert.equal(await price({ aggregation: "percentile", fraction: 0.5 }), [[30]]);
    assert.equal(await price({ aggregation: "weightedaverage", weight: "id" }), [[460 / 12]]);
    await rejects(price({ aggregation: "percentile" }), "PLUGIN_INVALID", "fraction");
    await rejects(price({ aggregation: "sum", fraction: 0.5 }), "PLUGIN_INVALID", "fraction");
    await rejects(price({ aggregation: "weightedaverage" }), "PLUGIN_INVALID", "weight");
    await rejects(price({ aggregation: "sum", weight: "id" }), "PLUGIN_INVALID", "weight");
    const bin = { width: 20, origin: 0 };
    assert.equal((await price({ bin })).flat().toSorted(), [0, 20, 40, null].toSorted());
    await rejects(grouped({ column_id: "city", bin }), "PLUGIN_INVALID", "city");
    await rejects(price({ bin: { width: 0, origin: 0 } }), "PLUGIN_INVALID", "width");
  });

  test("derived columns are computed before filters, and expressions that cannot be computed are refused", async () => {
    const column: Expression = { kind: "column", column_id: "id" };
    const call = (name: FunctionName, ...args: readonly Expression[]): Expression => ({
      kind: "call",
      function: name,
      args,
    });
    const derivedIds = (expression: Expression) =>
      fetchRows({
        derived: [{ id: "x", type: "numeric", expression }],
        filters: [{ column_id: "x", expression: ">", value: [2] }],
      });
    assert.equal(
      await derivedIds(call("subtract", column, { kind: "literal", type: "numeric", value: 1 })),
      [[4], [5]],
    );
    let deep: Expression = column;
    let wide: Expression = column;
    for (let level = 0; level < 5_000; level++) deep = call("negate", deep);
    const one: Expression = { kind: "literal", type: "numeric", value: 1 };
    for (let level = 0; level < 30; level++)
      wide = call("case", call("less", wide, column), one, column);
    await rejects(derivedIds(deep), "PLUGIN_INVALID", "nest");
    await rejects(derivedIds(wide), "PLUGIN_INVALID", "nested comparisons");
    await rejects(
      derivedIds({ kind: "column", column_id: "gone" }),
      "PLUGIN_UNKNOWN_COLUMN",
      "gone",
    );
    await rejects(derivedIds(call("add", column)), "PLUGIN_INVALID");
    await rejects(derivedIds(call("equal", column)), "PLUGIN_INVALID", "argument");
    await rejects(
      derivedIds(call("constructor" as FunctionName, column)),
      "PLUGIN_INVALID",
      "constructor",
    );
    const hour: Expression = { kind: "literal", type: "datetime", value: "yesterday" };
    await rejects(derivedIds(call("epochMs", hour)), "PLUGIN_INVALID", "ISO 8601");
  });

  test("the store joins stored and temporary datasets, even on columns of earlier joins", async () => {
    const numbers = (...values: number[]) => ({
      type: "numeric" as const,
      values: Float64Array.from(values),
    });
    await write({
      action: "create",
      id: "prices",
      columns: [
        { id: "amount", type: "numeric" },
        { id: "class", type: "numeric" },
      ],
    });
    const named = (columnIds: string[], columns: ReturnType<typeof numbers>[]) => ({
      columnIds,
      batch: { rowCount: columns[0]?.values.length ?? 0, columns },
    });
    const [, [, price] = []] = await fetchRows({
      columns: [{ column_id: "id" }, { column_id: "price" }],
      order: [{ column: 0, order: "asc" }],
    });
    await write({
      action: "append",
      id: "prices",
      rows: named(["amount", "class"], [numbers(Number(price), -1), numbers(7, 8)]),
    });
    await write({
      action: "create",
      id: "classes",
      columns: [
        { id: "class", type: "numeric" },
        { id: "rate", type: "numeric" },
      ],
      temporary: true,
    });
    await write({
      action: "append",
      id: "classes",
      rows: named(["class", "rate"], [numbers(7, 9), numbers(0.5, 1)]),
    });
    const first = {
      id: "prices",
      left: "price",
      right: "amount",
      columns: [{ id: "p.class", column_id: "class", type: "numeric" as const }],
    };
    const second = {
      id: "classes",
      left: "p.class",
      right: "class",
      columns: [{ id: "c.rate", column_id: "rate", type: "numeric" as const }],
    };
    const joins = [first, second];
    const joined = { columns: [{ column_id: "id" }, { column_id: "c.rate" }], joins };
    assert.equal(
      await fetchRows({
        ...joined,
        filters: [{ column_id: "c.rate", expression: "is not null" }],
      }),
      [[2, 0.5]],
    );
    assert.is((await fetchRows(joined)).length, 5);
    await rejects(
      fetchRows({ ...joined, joins: [{ ...first, left: "nope" }, second] }),
      "PLUGIN_UNKNOWN_COLUMN",
      "nope",
    );
    await rejects(
      fetchRows({ ...joined, joins: [{ ...first, right: "nope" }, second] }),
      "PLUGIN_UNKNOWN_COLUMN",
      "nope",
    );
    await rejects(
      fetchRows({ ...joined, joins: [{ ...first, left: "city" }, second] }),
      "PLUGIN_INVALID",
      "city has the type text",
    );
    await rejects(
      fetchRows({ ...joined, joins: [{ ...first, id: "nowhere" }, second] }),
      "PLUGIN_UNKNOWN_DATASET",
      "nowhere",
    );
    await rejects(
      fetchRows({
        joins: [{ ...first, columns: [{ id: "id", column_id: "class", type: "numeric" }] }],
      }),
      "PLUGIN_INVALID",
      "the column id id must be unique",
    );
    await write({
      action: "append",
      id: "classes",
      rows: named(["class", "rate"], [numbers(7), numbers(3)]),
    });
    await rejects(
      fetchRows(joined),
      "PLUGIN_JOIN_AMBIGUOUS",
      "column class of the dataset classes",
    );
    const half = {
      kind: "call",
      function: "divide",
      args: [
        { kind: "column", column_id: "rate" },
        { kind: "literal", type: "numeric", value: 2 },
      ],
    } as const;
    const filtered = (...filters: readonly Filter[]) => ({
      ...joined,
      joins: [
        first,
        {
          ...second,
          derived: [{ id: "half", type: "numeric" as const, expression: half }],
          filters,
        },
      ],
      filters: [{ column_id: "c.rate", expression: "is not null" as const }],
    });
    const isBelow = { column_id: "half", expression: "<" as const, value: [1] };
    assert.equal(await fetchRows(filtered(isBelow)), [[2, 0.5]]);
    const isThree = { column_id: "rate", expression: "=" as const, value: [3] };
    assert.equal(await fetchRows(filtered(isThree)), [[2, 3]]);
    await rejects(
      fetchRows(filtered({ ...isThree, column_id: "c.rate" })),
      "PLUGIN_UNKNOWN_COLUMN",
      "c.rate",
    );
  });

  test("aborting the signal cancels a query with PLUGIN_TIMEOUT", async () => {
    const query: Query = {
      id: "sales",
      columns: [{ column_id: "id" }],
      filters: [],
      options: { pushdown: false },
    };
    await rejects(plugin.query({ ...call, signal: AbortSignal.abort(), query }), "PLUGIN_TIMEOUT");
  });

  test("`health` responds while queries wait for threads, and fails once the store is closed", async () => {
    const busyDir = await mkdtemp(join(tmpdir(), "manifold-strata-"));
    const busy = await openStrata({
      dir: busyDir,
      workers: 1,
      memoryBytes: 2 ** 26,
      warmUp: false,
    });
    try {
      const columns = [{ id: "km", type: "numeric" as const }];
      await busy.write?.({ ...call, write: { action: "create", id: "busy", columns } });
      await busy.health?.(call);
      const ended: string[] = [];
      const query: Query = {
        id: "busy",
        columns: [{ column_id: "km", aggregation: "sum" }],
        filters: [],
        options: { pushdown: true },
      };
      const queries = Array.from({ length: 40 }, async () => {
        await busy.query({ ...call, query });
        ended.push("question");
      });
      await busy.health?.(call);
      ended.push("health");
      await Promise.all(queries);
      assert.is(ended[0], "health");
      assert.is(ended.length, 41);
    } finally {
      await busy.close?.();
    }
    await rejects(Promise.resolve(busy.health?.(call)), "PLUGIN_SOURCE_FAILED");
    await rm(busyDir, { recursive: true });
  });

  test("a second plugin over the same folder fails to open", async () => {
    await rejects(
      openStrata({ dir, workers: 1, memoryBytes: 2 ** 20 }),
      "PLUGIN_SOURCE_FAILED",
      "in use",
    );
  });
});
