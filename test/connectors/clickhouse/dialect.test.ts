import { plainAnswer, type PlainTable } from "../../support/plainAnswer.ts";
import { open } from "../../../connectors/clickhouse/index.ts";
import {
  levels,
  operators,
  rowsOfBatch,
  type Cell,
  type ColumnFilter,
  type Filter,
  type Plugin,
  type Query,
  type QueryColumn,
} from "../../../plugins/protocol/index.ts";
import {
  type ClickhouseDatabase,
  clickhouseSuite,
  openClickhouseDatabase,
} from "../../support/clickhouseDatabase.ts";
import { rounds } from "../../support/layer.ts";
import { openReach } from "../../support/openReach.ts";
import { createRandom, withSeed, type Random } from "../../support/random.ts";

/** The values of each column, in the protocol's form and in the server's form. */
const texts = [
  "",
  "a",
  "A",
  "k",
  "K",
  "\u212a",
  "ſ",
  "s",
  "S",
  "Straße",
  "İ",
  "i",
  "ı",
  "é",
  "e\u0301",
  " a",
  "a ",
  "a\0",
  "a\tb",
  "a\nb",
  "a\\b",
  "a'b",
  "100%",
  "_",
  "😀",
  "\uffff",
  "Ω",
  "Ω",
  "ΣΑΣ",
  "ςας",
  "\ufffd",
  "[x]",
  "^$.*",
  "{p1:String}",
];
const numbers = [0, 1, -1, 0.1, 0.3, -2.5, 7, 10, 1e15, 2 ** 53, 1e-300, 123456.789];
const wholes = [0, 1, -1, 7, 10, 100, -7, 2 ** 53, 2 ** 53 + 2, -(2 ** 62)];
const instants = [
  "1850-06-15T12:00:00.001Z",
  "1899-12-31T23:59:59.999Z",
  "1969-12-31T23:59:59.999Z",
  "1970-01-01T00:00:00.000Z",
  "2000-02-29T00:00:00.000Z",
  "2023-12-31T23:30:00.000Z",
  "2024-02-29T12:34:56.789Z",
  "2024-03-31T00:59:59.999Z",
  "2024-03-31T01:00:00.000Z",
  "2024-10-27T00:30:00.000Z",
  "2024-10-27T01:30:00.000Z",
  "2024-11-03T05:30:00.000Z",
  "2024-12-30T00:00:00.000Z",
  "2100-03-01T00:00:00.000Z",
  "2299-12-31T23:59:59.999Z",
  "2011-12-30T09:59:59.000Z",
];
const days = [
  "1900-01-01",
  "1969-12-31",
  "1970-01-01",
  "2000-02-29",
  "2024-01-01",
  "2024-12-30",
  "2299-12-31",
].map((day) => `${day}T00:00:00.000Z`);
const pools: Readonly<Record<string, readonly Cell[]>> = {
  text: texts,
  low: texts,
  padded: ["", "a", "A", "k", "ab\0c", "É"],
  number: numbers,
  whole: wholes,
  // Few of these weights cancel each other out, because 0.1 + 0.2 - 0.3 is 0 or 5e-17, depending on the order of rows.
  decimal: [0, 0.1, 0.2, -0.75, 1.25, 99999999.99],
  at: instants.filter((each) => /^20[12]/.test(each)),
  far: instants,
  day: days,
  key: ["one", "two", "three"],
};
const types = {
  text: "hierarchy",
  low: "hierarchy",
  padded: "hierarchy",
  number: "numeric",
  whole: "numeric",
  decimal: "numeric",
  at: "datetime",
  far: "datetime",
  day: "datetime",
  key: "hierarchy",
} as const;
const ids = Object.keys(types) as (keyof typeof types)[];
const zones = [
  "UTC",
  "Europe/Brussels",
  "America/New_York",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "Pacific/Apia",
];

clickhouseSuite("connectors/clickhouse/dialect", (test) => {
  let database: ClickhouseDatabase;
  let plugin: Plugin;
  let table: PlainTable;
  const random = createRandom();

  test.before(async () => {
    database = await openClickhouseDatabase();
    await database.run(`create table t (text Nullable(String), low LowCardinality(Nullable(String)),
      padded Nullable(FixedString(6)), number Nullable(Float64), whole Nullable(Int64), decimal Nullable(Decimal(18, 2)),
      at Nullable(DateTime64(3, 'UTC')), far Nullable(DateTime64(6, 'UTC')), day Nullable(Date32), key String)
      engine = MergeTree order by (whole, text) settings allow_nullable_key = 1, index_granularity = 8`);
    const rows = Array.from({ length: 300 }, () =>
      Object.fromEntries(
        ids.map((id) => [id, id !== "key" && random.chance(0.15) ? null : random.pick(pools[id]!)]),
      ),
    );
    table = { columns: ids.map((id) => ({ id, type: types[id] })), rows };
    const lines = rows.map((row) => {
      const { whole, at, far, day, ...rest } = row;
      const local = (cell: unknown, digits = "") =>
        cell === null ? null : `${String(cell).slice(0, -1).replace("T", " ")}${digits}`;
      const sent = {
        ...rest,
        at: local(at),
        far: local(far, "999"),
        day: day === null ? null : String(day).slice(0, 10),
      };
      // JSON cannot represent integers beyond 2^53.
      return JSON.stringify(sent).replace(
        /\}$/,
        `,"whole":${whole === null ? "null" : BigInt(Number(whole))}}`,
      );
    });
    await database.run(
      `insert into t settings session_timezone = 'UTC', date_time_input_format = 'basic' format JSONEachRow\n${lines.join("\n")}`,
    );
    plugin = await open({ reach: openReach(), timeoutMs: 60_000, sizeBytes: 2 ** 26 });
  });
  test.after(async () => {
    await plugin.close?.();
    await database.close();
  });

  test("random queries in ClickHouse return the same cells as the reference plugin", async () => {
    const { host, port, admin } = database;
    const credentials = {
      host,
      key: admin.name,
      token: admin.password,
      properties: { port: String(port) },
    };
    const count = rounds({ quick: 25, deep: 600, soak: 2000 });
    const { signal } = new AbortController();
    await withSeed(random, async () => {
      for (let index = 0; index < count; index++) {
        const query = randomQuery(random, `${database.database}.t`);
        const batch = await plugin.query({ credentials, signal, query });
        compareRows(rowsOfBatch(batch), rowsOfBatch(plainAnswer(query, table)), query);
      }
    });
  });
});

function randomQuery(random: Random, id: string): Query {
  const isGrouped = random.chance(0.6);
  const columns: QueryColumn[] = Array.from({ length: 1 + random.below(3) }, () =>
    randomColumn(random),
  );
  const keyCount = columns.length;
  if (isGrouped)
    for (let count = random.below(4); count > 0; count--) columns.push(randomAggregate(random));
  const filters = Array.from({ length: random.below(3) }, () => randomFilter(random, 2));
  // These aggregations are exact on both sides, unlike sums.
  const counted = columns.findIndex(({ aggregation }) => aggregation?.endsWith("count"));
  const having =
    counted >= 0 && random.chance(0.3)
      ? {
          column: counted,
          expression: random.pick(["=", "<", ">=", "!="] as const),
          value: [random.below(5)],
        }
      : undefined;
  const isFar = [columns, filters].some((each) => /"(far|day)","level"/.test(JSON.stringify(each)));
  const order = columns.map((_, column) => ({
    column,
    order: random.pick(["asc", "desc"] as const),
  }));
  return {
    id,
    columns,
    filters,
    ...(having && { having: [having] }),
    order: order.slice(0, isGrouped ? keyCount : undefined),
    ...(random.chance(0.3) && { limit: { by: random.below(20), offset: random.below(5) } }),
    options: { pushdown: isGrouped, timezone_id: isFar ? "UTC" : random.pick(zones) },
  };
}

function randomColumn(random: Random): QueryColumn {
  const id = random.pick(ids);
  if (types[id] === "datetime" && random.chance(0.7))
    return { column_id: id, level: random.pick(levels) };
  if (types[id] === "numeric" && random.chance(0.3))
    return { column_id: id, bin: { width: random.pick([1, 5, 1000]), origin: 0 } };
  return { column_id: id };
}

function randomAggregate(random: Random): QueryColumn {
  if (random.chance(0.1)) return { column_id: "*", aggregation: "count" };
  const id = random.pick(ids);
  const any = ["count", "distinctcount", "min", "max"] as const;
  if (types[id] !== "numeric") return { column_id: id, aggregation: random.pick(any) };
  const aggregation = random.pick([
    ...any,
    "sum",
    "average",
    "median",
    "percentile",
    "stddev",
    "corr",
    "weightedaverage",
  ] as const);
  return {
    column_id: id,
    aggregation,
    ...(aggregation === "percentile" && { fraction: random.pick([0, 0.1, 0.25, 0.9, 1]) }),
    ...(aggregation === "weightedaverage" && { weight: "decimal" }),
    ...(aggregation === "corr" && { other: "decimal" }),
  };
}

function randomFilter(random: Random, depth: number): Filter {
  if (depth > 0 && random.chance(0.3)) {
    const members = Array.from({ length: 1 + random.below(3) }, () =>
      randomFilter(random, depth - 1),
    );
    return random.chance(0.5) ? { and: members } : { or: members };
  }
  const id = random.pick(ids);
  const level =
    types[id] === "datetime" && random.chance(0.3) ? { level: random.pick(levels) } : {};
  return { column_id: id, ...level, ...randomTest(random, id) };
}

function randomTest(
  random: Random,
  id: keyof typeof types,
  from: readonly ColumnFilter["expression"][] = operators,
) {
  const isText = types[id] === "hierarchy";
  const expression = random.pick(from.filter((each) => isText || !/like|with/.test(each)));
  if (expression.endsWith("null")) return { expression };
  const pool = pools[id]!;
  if (!expression.endsWith("in")) return { expression, value: [random.pick(pool)] };
  const value: Cell[] = Array.from({ length: random.below(4) }, () => random.pick(pool));
  return { expression, value: random.chance(0.3) ? [...value, null] : value };
}

function compareRows(actual: readonly Cell[][], expected: readonly Cell[][], query: Query): void {
  const isNear = (one: Cell, other: Cell) =>
    typeof one === "number" &&
    typeof other === "number" &&
    Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one), Math.abs(other));
  const isSame = (row: readonly Cell[], index: number) =>
    row.every((cell, place) => {
      const other = expected[index]?.[place] ?? null;
      return cell === other || isNear(cell, other);
    });
  const wrong = actual.findIndex((row, index) => !isSame(row, index));
  if (actual.length === expected.length && wrong < 0) return;
  const rowsOf = (rows: readonly Cell[][]) => `${rows.length} rows, ${JSON.stringify(rows[wrong])}`;
  throw new Error(`${JSON.stringify(query)}\n${rowsOf(actual)} not ${rowsOf(expected)}`);
}
