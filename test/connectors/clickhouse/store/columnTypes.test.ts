import * as assert from "uvu/assert";
import { openStore } from "../../../../connectors/clickhouse/index.ts";
import {
  columnTypeOf,
  dataTypeOf,
  nativeType,
  typeOfValues,
  widened,
  widestType,
  type ColumnType,
} from "../../../../connectors/clickhouse/store/columnTypes.ts";
import {
  columnOfCells,
  createDictionary,
  rowsOfBatch,
  type Aggregation,
  type BatchColumn,
  type Cell,
  type DataType,
  type Level,
  type Plugin,
  type QueryColumn,
  type Write,
} from "../../../../plugins/protocol/index.ts";
import { needsClickhouse } from "../../../support/clickhouseDatabase.ts";
import { openClickhouseStore, type ClickhouseStore } from "../../../support/clickhouseStore.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const numbers = (...values: readonly number[]): BatchColumn => ({
  type: "numeric",
  values: Float64Array.from(values),
});
const instants = (...values: readonly number[]): BatchColumn => ({
  type: "datetime",
  values: Float64Array.from(values),
});
const texts = (codes: readonly number[], dictionary: readonly string[]): BatchColumn => ({
  type: "hierarchy",
  codes: Int32Array.from(codes),
  dictionary,
});
const nativeOf = (column: BatchColumn) => nativeType(typeOfValues(column));
/** The number of rows, the number of strings from which they are drawn, and the type of the column. */
const largePushes: readonly (readonly [rowCount: number, textCount: number, type: string])[] = [
  [200_000, 2_000_000, "String"],
  [200_000, 50_000, "LowCardinality(String)"],
];
const many = Array.from({ length: 10_001 }, (_, index) => `text ${index}`);

suite("connectors/clickhouse/store/columnTypes", (test) => {
  test("each column gets the narrowest type that can store its values", () => {
    assert.is(nativeOf(numbers(0, -0, 2 ** 31 - 1, -(2 ** 31))), "Int32");
    assert.is(nativeOf(numbers(1, NaN)), "Nullable(Int32)");
    assert.is(nativeOf(numbers(2 ** 31)), "Float64");
    assert.is(nativeOf(numbers(0.5, NaN)), "Nullable(Float64)");
    assert.match(
      nativeOf(numbers(1, -1e300)),
      /^SimpleAggregateFunction\(.*Nullable\(Float64\)\)$/,
    );
    assert.is(nativeOf(instants(0, 4_294_967_295_000)), "DateTime('UTC')");
    assert.is(nativeOf(instants(1000, NaN)), "Nullable(DateTime('UTC'))");
    assert.is(nativeOf(instants(4_294_967_296_000)), "DateTime64(3, 'UTC')");
    assert.is(nativeOf(instants(-1000)), "DateTime64(3, 'UTC')");
    assert.is(nativeOf(instants(1, NaN)), "Nullable(DateTime64(3, 'UTC'))");
    assert.is(nativeOf(texts([0, 0], ["a"])), "LowCardinality(String)");
    assert.is(nativeOf(texts([0, -1], ["a"])), "LowCardinality(Nullable(String))");
    assert.is(nativeOf(texts([...many.keys()], many)), "String");
    assert.is(nativeOf(texts([...many.keys(), ...many.keys()], many)), "LowCardinality(String)");
    // The API's first push has at most 10,000 rows, which is enough to estimate the number of strings.
    for (const [rowCount, textCount, type] of [
      [10_000, 2_000_000, "String"],
      [10_000, 50_000, "LowCardinality(String)"],
      ...rounds({ quick: [], deep: largePushes }),
      [1000, 2_000_000, "LowCardinality(String)"],
    ] as const) {
      const random = createRandom(20261125);
      const drawn = createDictionary();
      const codes = Array.from({ length: rowCount }, () =>
        drawn.codeOf(`${random.below(textCount)}`),
      );
      const about = `${rowCount} rows with ${textCount} strings`;
      assert.is(nativeOf(texts(codes, drawn.dictionary)), type, about);
    }
  });

  const each: readonly ColumnType[] = (
    ["whole", "double", "huge", "second", "millisecond", "word", "text"] as const
  ).flatMap((name) =>
    [true, false].map((isNullable) => ({ name, isNullable: isNullable || name === "huge" })),
  );

  test("writing a column type for ClickHouse and parsing it again returns the same type", () => {
    for (const type of each) assert.equal(columnTypeOf(nativeType(type)), type);
  });

  test("a column's type changes at most once, unless a huge number is stored later", () => {
    for (const stored of each)
      for (const given of each) {
        if (dataTypeOf(stored) !== dataTypeOf(given)) continue;
        const wide = widened(stored, given);
        const isHeld = wide.name === stored.name && wide.isNullable === stored.isNullable;
        if (isHeld) continue;
        assert.ok(wide.isNullable);
        const isHuge = [stored.name, given.name].includes("huge");
        const most = dataTypeOf(stored) === "hierarchy" ? stored : widestType(dataTypeOf(stored));
        assert.is(wide.name, isHuge ? "huge" : most.name, `${stored.name}, ${given.name}`);
        for (const other of each)
          if (dataTypeOf(other) === dataTypeOf(wide) && other.name !== "huge")
            assert.equal(widened(wide, other), wide);
      }
  });
});

const call = { credentials: { properties: {} }, signal: new AbortController().signal };
const columns = [
  { id: "word", type: "hierarchy" },
  { id: "n", type: "numeric" },
  { id: "at", type: "datetime" },
] as const;

/** Creates the cells of a batch. The cells are either arbitrary, or they all fit into a narrow type. */
function randomCells(type: DataType, random: Random): readonly Cell[] {
  const isNarrow = random.chance(0.6);
  const nulls = random.pick([0, 0, 0.3]);
  const numbersOf = isNarrow ? [0, 1, -7, 2 ** 31 - 1] : [0.5, 2 ** 40, -0.125, 3];
  const instantsOf = isNarrow
    ? ["1970-01-01T00:00:00.000Z", "1970-01-04T23:59:59.000Z", "2106-02-07T06:28:15.000Z"]
    : ["1969-12-31T23:59:59.999Z", "2106-02-07T06:28:16.000Z", "0001-01-01T00:00:00.001Z"];
  const values = { numeric: numbersOf, datetime: instantsOf, hierarchy: ["", "a", "é", "z"] }[type];
  return Array.from({ length: random.pick([1, 4, 9]) }, () =>
    random.chance(nulls) ? null : random.pick<Cell>(values),
  );
}

suite(
  "connectors/clickhouse/store/columnTypes on a server",
  (test) => {
    let store: ClickhouseStore;
    let plugin: Plugin;
    test.before(async () => {
      store = await openClickhouseStore();
      ({ plugin } = store);
    });
    test.after(() => store.close());
    const write = async (change: Write) => plugin.write?.({ ...call, write: change });
    const typesOf = async (id: string) =>
      (
        await store.database.run(
          `select type from system.columns where database = currentDatabase() and table = '${id}' and name != 'manifold write' order by position format TSVRaw`,
        )
      )
        .trim()
        .split("\n");
    const rowsOf = (cells: readonly (readonly Cell[])[]) => ({
      columnIds: columns.map(({ id }) => id),
      batch: {
        rowCount: cells[0]?.length ?? 0,
        columns: columns.map((column, index) => columnOfCells(column, cells[index] ?? [])),
      },
    });
    const narrow = rowsOf([
      ["a", "b"],
      [1, 2],
      ["2024-01-01T00:00:00.000Z", "1970-01-01T00:00:00.000Z"],
    ]);
    const levels = rounds<readonly Level[]>({
      quick: ["month"],
      deep: ["year", "quarter", "month", "week", "day", "hour", "minute"],
    });
    const measure = (column_id: string, aggregation: Aggregation) => ({ column_id, aggregation });
    /** Returns the answers for plain rows in order, for groups of each level, and for totals. */
    const answers = async (id: string) => {
      const runQuery = async (selected: readonly QueryColumn[], pushdown: boolean) =>
        rowsOfBatch(
          await plugin.query({
            ...call,
            query: {
              id,
              columns: selected,
              filters: [],
              order: selected.map((_, column) => ({ column, order: "asc" as const })),
              options: { pushdown },
            },
          }),
        );
      const measures = [
        ...(["sum", "average", "min", "max", "count", "distinctcount", "median"] as const).map(
          (aggregation) => measure("n", aggregation),
        ),
        measure("at", "min"),
        measure("at", "max"),
      ];
      return [
        await runQuery(
          columns.map(({ id: column_id }) => ({ column_id })),
          false,
        ),
        await runQuery(measures, true),
        await runQuery([{ column_id: "word" }, ...measures], true),
        ...(await Promise.all(
          levels.map((level) =>
            runQuery(
              [{ column_id: "at", level }, measure("*", "count"), measure("n", "sum")],
              true,
            ),
          ),
        )),
      ];
    };

    test("a new table has the narrowest types for its first rows, and its types widen when later rows need wider types", async () => {
      await write({ action: "create", id: "grows", columns, rowsFollow: true });
      await write({ action: "append", id: "grows", rows: narrow });
      const first = ["LowCardinality(String)", "Int32", "DateTime('UTC')"];
      assert.equal(await typesOf("grows"), first);
      await write({ action: "append", id: "grows", rows: narrow });
      assert.equal(await typesOf("grows"), first);
      await write({ action: "append", id: "grows", rows: rowsOf([["c"], [0.5], [null]]) });
      assert.equal(await typesOf("grows"), [
        "LowCardinality(String)",
        "Nullable(Float64)",
        "Nullable(DateTime64(3, 'UTC'))",
      ]);
      const { columnIds, batch } = narrow;
      const fewer = { rowCount: 2, columns: [batch.columns[1]!] };
      await write({
        action: "append",
        id: "grows",
        rows: { columnIds: [columnIds[1]!], batch: fewer },
      });
      assert.is((await typesOf("grows"))[0], "LowCardinality(Nullable(String))");
      assert.equal(
        (await answers("grows"))[0]?.map((row) => row.join(" ")),
        [
          "a 1 2024-01-01T00:00:00.000Z",
          "a 1 2024-01-01T00:00:00.000Z",
          "b 2 1970-01-01T00:00:00.000Z",
          "b 2 1970-01-01T00:00:00.000Z",
          "c 0.5 ",
          " 1 ",
          " 2 ",
        ],
      );
    });

    test("a table that other hosts know keeps its widest types until a replace chooses new types", async () => {
      await write({ action: "create", id: "known", columns });
      await write({ action: "append", id: "known", rows: narrow });
      assert.equal(await typesOf("known"), [
        "LowCardinality(Nullable(String))",
        "Nullable(Float64)",
        "Nullable(DateTime64(3, 'UTC'))",
      ]);
      await write({ action: "replace", id: "known", rows: narrow });
      assert.is((await typesOf("known"))[1], "Int32");
      await write({ action: "replace", id: "known", rows: rowsOf([[], [], []]) });
      assert.is((await typesOf("known"))[1], "Nullable(Float64)");
    });

    test("a host answers correctly even after another host widened a column", async () => {
      await write({ action: "create", id: "both", columns, rowsFollow: true });
      await write({ action: "append", id: "both", rows: narrow });
      const before = await answers("both");
      const other = await openStore({
        url: store.settings.clickhouseUrl,
        database: store.settings.clickhouseDatabase,
        timeoutMs: 60_000,
        sizeBytes: 2 ** 28,
      });
      try {
        const wide = rowsOf([[null], [0.5], ["0001-01-01T00:00:00.001Z"]]);
        await other.write?.({ ...call, write: { action: "append", id: "both", rows: wide } });
        const found = await answers("both");
        assert.not.equal(found, before);
        assert.is(found[1]?.[0]?.[0], 3.5);
        await write({ action: "create", id: "one", columns });
        await write({ action: "append", id: "one", rows: narrow });
        await write({ action: "append", id: "one", rows: wide });
        assert.equal(found, await answers("one"));
      } finally {
        await other.close?.();
      }
    });

    test("rows can be grouped by periods in a time zone with nearly 200 clock changes", async () => {
      await write({ action: "create", id: "clock", columns: [columns[2]], rowsFollow: true });
      const instants = ["1935-07-01T03:00:00.000Z", "2024-04-01T03:59:59.999Z"];
      const batch = { rowCount: 2, columns: [columnOfCells(columns[2], instants)] };
      const rows = { columnIds: ["at"], batch };
      await write({ action: "append", id: "clock", rows });
      const query = {
        id: "clock",
        columns: [
          { column_id: "at", level: "month" as const },
          { column_id: "at", level: "quarter" as const },
          { column_id: "*", aggregation: "count" as const },
          { column_id: "at", aggregation: "max" as const },
        ],
        filters: [],
        order: [{ column: 0, order: "asc" as const }],
        options: { pushdown: true, timezone_id: "America/New_York" },
      };
      const found = rowsOfBatch(await plugin.query({ ...call, query }));
      assert.equal(found, [
        ["1935-06-01T04:00:00.000Z", "1935-04-01T05:00:00.000Z", 1, instants[0]],
        ["2024-03-01T05:00:00.000Z", "2024-01-01T05:00:00.000Z", 1, instants[1]],
      ]);
    });

    test("a period that would begin before the earliest ECMAScript date begins at that date, in every time zone", async () => {
      await write({ action: "create", id: "first", columns: [columns[2]], rowsFollow: true });
      const first = "-271821-04-20T00:00:00.000Z";
      const instants = [first, "-271821-04-21T12:00:00.000Z"];
      const batch = { rowCount: 2, columns: [columnOfCells(columns[2], instants)] };
      await write({ action: "append", id: "first", rows: { columnIds: ["at"], batch } });
      const testedLevels = rounds<readonly Level[]>({
        quick: ["week"],
        deep: ["year", "quarter", "month", "week"],
      });
      for (const timezone_id of ["UTC", "America/Sao_Paulo", "Asia/Kolkata"])
        for (const level of testedLevels) {
          const query = {
            id: "first",
            columns: [
              { column_id: "at", level },
              { column_id: "*", aggregation: "count" as const },
            ],
            filters: [],
            options: { pushdown: true, timezone_id },
          };
          const found = rowsOfBatch(await plugin.query({ ...call, query }));
          assert.equal(found, [[first, 2]], `${level} in ${timezone_id}`);
        }
    });

    test("tables with narrow, widened and widest types give the same answers", async () => {
      const count = rounds({ quick: 1, deep: 25 });
      const seed = Number(process.env["SEED"] ?? 20261124);
      for (let round = 0; round < count; round++) {
        const random = createRandom(seed + round);
        const [grown, wide] = [`grown ${round}`, `wide ${round}`];
        await write({ action: "create", id: grown, columns, rowsFollow: true });
        await write({ action: "create", id: wide, columns });
        for (let push = 0; push < 4; push++) {
          const cells = columns.map(({ type }) => randomCells(type, random));
          const length = Math.min(...cells.map((each) => each.length));
          const rows = rowsOf(cells.map((each) => each.slice(0, length)));
          for (const id of [grown, wide]) await write({ action: "append", id, rows });
        }
        const [found, expected] = [await answers(grown), await answers(wide)];
        const about = `SEED=${seed + round}`;
        for (const [index, answer] of found.entries()) assert.equal(answer, expected[index], about);
      }
    });
  },
  needsClickhouse,
);
