import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import type { Cell, Plugin } from "../../../../plugins/protocol/index.ts";
import { openStrata } from "../../../../plugins/strata/index.ts";
import {
  createJoinedHost,
  type JoinedDataset,
  type JoinedHost,
} from "../../../support/joinedHost.ts";
import { createRandom, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

type Row = readonly (string | number | null)[];

/** Returns a reference to a column. The column's id starts with the id of its dataset, as in `l_orderkey`. */
const ref = (columnId: string, more: object = {}) => ({
  dataset_id: columnId.slice(0, 1),
  column_id: columnId,
  ...more,
});
const sum = { aggregation: "sum" };
const rowsOf = (dataset: string) => ({ dataset_id: dataset, column_id: "*", aggregation: "count" });
const whether = (expression: string, ...parameters: unknown[]) => ({ expression, parameters });
const day = (date: string) => `${date}T00:00:00.000Z`;
const revenue = { expression: "{l:l_price} * (1 - {l:l_discount})", ...sum };

interface Question {
  readonly name: string;
  readonly find: object;
  readonly sql: string;
}

/** Questions of the H2O group-by benchmark over the table `g`, and of TPC-H over `l`, `o`, `c` and `p`. */
const questions: readonly Question[] = [
  {
    name: "H2O 6: median and standard deviation by two columns",
    find: {
      dimensions: [ref("g_id4"), ref("g_id5")],
      measures: [ref("g_v3", { aggregation: "median" }), ref("g_v3", { aggregation: "stddev" })],
    },
    sql: "select g_id4, g_id5, median(g_v3), stddev_samp(g_v3) from g group by all order by 1, 2",
  },
  {
    name: "H2O 7: the difference of a maximum and a minimum",
    find: {
      dimensions: [ref("g_id3")],
      measures: [{ formula: "max({g:g_v1}) - min({g:g_v2})" }],
    },
    sql: "select g_id3, max(g_v1) - min(g_v2) from g group by all order by 1",
  },
  {
    name: "H2O 8: the two largest values of each group",
    find: {
      dimensions: [ref("g_id6")],
      measures: [ref("g_v3")],
      where: [whether("? is not null", ref("g_v3"))],
      order: [ref("g_id6"), ref("g_v3", { order: "desc" })],
      limit: { by: 2, per: [ref("g_id6")] },
      options: { rollup_data: false },
    },
    sql: `select g_id6, g_v3 from g where g_v3 is not null
      qualify row_number() over (partition by g_id6 order by g_v3 desc) <= 2 order by g_id6, g_v3 desc`,
  },
  {
    name: "H2O 9: the square of a correlation",
    find: {
      dimensions: [ref("g_id2"), ref("g_id4")],
      measures: [
        { formula: "power(corr({g:g_v1}, {g:g_v2}), 2)" },
        ref("g_v1", { aggregation: { type: "corr", ...ref("g_v3") } }),
      ],
    },
    // The correlation of constant values is NaN in DuckDB, and null here.
    sql: `select g_id2, g_id4, case when min(g_v1) < max(g_v1) and min(g_v2) < max(g_v2) then corr(g_v1, g_v2) ^ 2 end,
        case when min(case when g_v3 is not null then g_v1 end) < max(case when g_v3 is not null then g_v1 end)
          and min(case when g_v1 is not null then g_v3 end) < max(g_v3) then corr(g_v1, g_v3) end
      from g group by all order by 1, 2`,
  },
  {
    name: "H2O 10: sums and counts by six columns",
    find: {
      dimensions: [1, 2, 3, 4, 5, 6].map((id) => ref(`g_id${id}`)),
      measures: [ref("g_v3", sum), rowsOf("g")],
    },
    sql: `select g_id1, g_id2, g_id3, g_id4, g_id5, g_id6, sum(g_v3), count(*) from g group by all order by all`,
  },
  {
    name: "TPC-H 1: sums of products and averages",
    find: {
      dimensions: [ref("l_returnflag")],
      measures: [
        revenue,
        { expression: "{l:l_price} * (1 - {l:l_discount}) * (1 + {l:l_tax})", ...sum },
        ref("l_discount", { aggregation: "average" }),
        rowsOf("l"),
      ],
      where: [whether("? <= ?", ref("l_shipdate"), day("1995-09-02"))],
    },
    sql: `select l_returnflag, sum(l_price * (1 - l_discount)), sum(l_price * (1 - l_discount) * (1 + l_tax)),
      avg(l_discount), count(*) from l where l_shipdate <= '1995-09-02' group by all order by 1`,
  },
  {
    name: "TPC-H 3: the orders of a segment with the largest revenue",
    find: {
      dimensions: [ref("o_orderkey"), ref("o_orderdate")],
      measures: [revenue],
      where: [
        whether("? = ?", ref("c_segment"), "BUILDING"),
        whether("? < ?", ref("o_orderdate"), day("1995-03-15")),
      ],
      order: [{ ...revenue, order: "desc" }],
      limit: { by: 10 },
    },
    sql: `select o_orderkey, o_orderdate, sum(l_price * (1 - l_discount)) as revenue
      from l left join o on l_orderkey = o_orderkey left join c on o_custkey = c_custkey
      where c_segment = 'BUILDING' and o_orderdate < '1995-03-15' group by all order by revenue desc, 1, 2 limit 10`,
  },
  {
    name: "TPC-H 12: counts with conditions",
    find: {
      dimensions: [ref("l_shipmode")],
      measures: [
        { formula: "count(if({o:o_priority} in ('1-URGENT', '2-HIGH'), {l:l_orderkey}))" },
        { formula: "count(if({o:o_priority} not in ('1-URGENT', '2-HIGH'), {l:l_orderkey}))" },
      ],
      where: [
        whether("? in ?", ref("l_shipmode"), ["MAIL", "SHIP"]),
        whether("? < ?", ref("l_shipdate"), ref("l_receiptdate")),
        whether("? >= ?", ref("l_receiptdate"), day("1994-01-01")),
      ],
    },
    sql: `select l_shipmode, count(*) filter (o_priority in ('1-URGENT', '2-HIGH')),
        count(*) filter (o_priority not in ('1-URGENT', '2-HIGH'))
      from l left join o on l_orderkey = o_orderkey
      where l_shipmode in ('MAIL', 'SHIP') and l_shipdate < l_receiptdate and l_receiptdate >= '1994-01-01'
      group by all order by 1`,
  },
  {
    name: "TPC-H 7: revenue between two nations, one dataset in two roles",
    find: {
      dimensions: [
        ref("n_name", { via: "s_nationkey" }),
        ref("n_name", { via: "c_nationkey" }),
        ref("l_shipdate", { level: 1 }),
      ],
      measures: [revenue],
      where: [
        {
          or: [
            {
              and: [
                whether("? = ?", ref("n_name", { via: "s_nationkey" }), "FRANCE"),
                whether("? = ?", ref("n_name", { via: "c_nationkey" }), "GERMANY"),
              ],
            },
            {
              and: [
                whether("? = ?", ref("n_name", { via: "s_nationkey" }), "GERMANY"),
                whether("? = ?", ref("n_name", { via: "c_nationkey" }), "FRANCE"),
              ],
            },
          ],
        },
      ],
      order: [
        ref("n_name", { via: "c_nationkey", order: "desc" }),
        ref("l_shipdate", { level: 1 }),
      ],
    },
    sql: `select n1.n_name, n2.n_name, date_trunc('year', l_shipdate)::timestamp, sum(l_price * (1 - l_discount))
      from l join s on l_suppkey = s_suppkey join o on l_orderkey = o_orderkey join c on o_custkey = c_custkey
        join n n1 on s_nationkey = n1.n_nationkey join n n2 on c_nationkey = n2.n_nationkey
      where (n1.n_name = 'FRANCE' and n2.n_name = 'GERMANY') or (n1.n_name = 'GERMANY' and n2.n_name = 'FRANCE')
      group by all order by 2 desc, 3, 1`,
  },
  {
    name: "TPC-H 8: a nation's share of the market in another region, with roles in a formula",
    find: {
      dimensions: [ref("o_orderdate", { level: 1 })],
      measures: [
        {
          formula: `sum(if({n via s_nationkey:n_name} = 'BRAZIL', {l:l_price} * (1 - {l:l_discount}), 0))
            / sum({l:l_price} * (1 - {l:l_discount}))`,
        },
      ],
      where: [whether("? = ?", ref("n_region", { via: "c_nationkey" }), "EUROPE")],
    },
    sql: `select date_trunc('year', o_orderdate)::timestamp,
        sum(case when n1.n_name = 'BRAZIL' then l_price * (1 - l_discount) else 0 end) / sum(l_price * (1 - l_discount))
      from l join s on l_suppkey = s_suppkey join o on l_orderkey = o_orderkey join c on o_custkey = c_custkey
        join n n1 on s_nationkey = n1.n_nationkey join n n2 on c_nationkey = n2.n_nationkey
      where n2.n_region = 'EUROPE' group by 1 order by 1`,
  },
  {
    name: "TPC-H 9: profit by nation, with costs that are joined by a key of two columns",
    find: {
      dimensions: [ref("n_name", { via: "s_nationkey" }), ref("l_shipdate", { level: 1 })],
      measures: [{ expression: "{l:l_price} * (1 - {l:l_discount}) - {e:e_cost}", ...sum }],
    },
    sql: `select n_name, date_trunc('year', l_shipdate)::timestamp, sum(l_price * (1 - l_discount) - e_cost)
      from l left join s on l_suppkey = s_suppkey left join n on s_nationkey = n_nationkey
        left join e on l_partkey = e_partkey and l_suppkey = e_suppkey
      group by all order by 1, 2`,
  },
  {
    name: "the kinds of the days of orders and of shipments, one calendar in two roles",
    find: {
      dimensions: [ref("d_kind", { via: "o_orderdate" }), ref("d_kind", { via: "l_shipdate" })],
      measures: [rowsOf("l")],
      having: [whether("? > ?", rowsOf("l"), 3)],
    },
    sql: `select d1.d_kind, d2.d_kind, count(*) from l left join o on l_orderkey = o_orderkey
        left join d d1 on o_orderdate = d1.d_date left join d d2 on l_shipdate = d2.d_date
      group by 1, 2 having count(*) > 3 order by 1 nulls last, 2 nulls last`,
  },
  {
    name: "TPC-H 13: customers by their number of orders, including those without any",
    find: {
      from: {
        query: {
          dimensions: [ref("c_custkey", { include_nonoccurring: true })],
          measures: [rowsOf("o")],
          where: [whether("? != ?", ref("o_priority"), "5-LOW")],
        },
        columns: ["customer", "orders"],
      },
      dimensions: [{ dataset_id: "from", column_id: "orders" }],
      measures: [rowsOf("from")],
      order: [
        { ...rowsOf("from"), order: "desc" },
        { dataset_id: "from", column_id: "orders", order: "desc" },
      ],
    },
    sql: `select orders, count(*) as customers from (
        select c_custkey, count(o_orderkey) as orders
        from c left join o on c_custkey = o_custkey and o_priority <> '5-LOW' group by 1
      ) group by 1 order by customers desc, orders desc`,
  },
  {
    name: "TPC-H 14: the share of a sum that passes a condition",
    find: {
      measures: [
        {
          formula: `100 * sum(if(left({p:p_type}, 5) = 'PROMO', {l:l_price} * (1 - {l:l_discount}), 0))
            / sum({l:l_price} * (1 - {l:l_discount}))`,
        },
      ],
    },
    sql: `select 100 * sum(case when p_type like 'PROMO%' then l_price * (1 - l_discount) else 0 end)
      / sum(l_price * (1 - l_discount)) from l left join p on l_partkey = p_partkey`,
  },
  {
    name: "TPC-H 15: the supplier with the largest revenue, compared with the average of all",
    find: {
      from: {
        query: { dimensions: [ref("l_suppkey")], measures: [revenue] },
        columns: ["supplier", "revenue"],
      },
      measures: [
        { formula: "max({from:revenue})" },
        { formula: "max({from:revenue}) / average({from:revenue})" },
      ],
    },
    sql: `select max(revenue), max(revenue) / avg(revenue)
      from (select l_suppkey, sum(l_price * (1 - l_discount)) as revenue from l group by 1)`,
  },
];

type Table = Readonly<Record<string, (random: Random, row: number) => Cell>>;

const within = (most: number) => (random: Random) => random.below(most);
const oneOf =
  (...values: readonly string[]) =>
  (random: Random) =>
    random.pick(values);
const date = (random: Random) => new Date(Date.UTC(1994, 0, 1 + random.below(700))).toISOString();
const cents = (most: number) => (random: Random) => random.below(most * 100) / 100;

const tables: Readonly<Record<string, { readonly rowCount: number; readonly columns: Table }>> = {
  g: {
    rowCount: 600,
    columns: {
      g_id1: (random) => `id${random.below(4)}`,
      g_id2: (random) => `id${random.below(5)}`,
      g_id3: (random) => `id${random.below(100)}`,
      g_id4: within(6),
      g_id5: within(4),
      g_id6: within(80),
      g_v1: within(6),
      g_v2: within(16),
      g_v3: (random) => (random.chance(0.02) ? null : random.below(10_000) / 100),
    },
  },
  l: {
    rowCount: 900,
    columns: {
      l_orderkey: within(200),
      l_partkey: within(40),
      l_suppkey: within(12),
      l_price: cents(900),
      l_discount: (random) => random.below(11) / 100,
      l_tax: (random) => random.below(9) / 100,
      l_returnflag: oneOf("A", "N", "R"),
      l_shipmode: oneOf("MAIL", "SHIP", "AIR", "RAIL"),
      l_shipdate: date,
      l_receiptdate: date,
    },
  },
  o: {
    rowCount: 200,
    columns: {
      o_orderkey: (_, row) => row,
      o_custkey: within(40),
      o_orderdate: date,
      o_priority: oneOf("1-URGENT", "2-HIGH", "3-MEDIUM", "5-LOW"),
    },
  },
  c: {
    rowCount: 60,
    columns: {
      c_custkey: (_, row) => row,
      c_segment: oneOf("BUILDING", "MACHINERY"),
      c_nationkey: within(5),
    },
  },
  s: { rowCount: 12, columns: { s_suppkey: (_, row) => row, s_nationkey: (_, row) => row % 5 } },
  n: {
    rowCount: 5,
    columns: {
      n_nationkey: (_, row) => row,
      n_name: (_, row) => ["FRANCE", "GERMANY", "BRAZIL", "KENYA", "JAPAN"][row] ?? null,
      n_region: (_, row) => (row < 2 ? "EUROPE" : "OTHER"),
    },
  },
  e: {
    rowCount: 400,
    columns: {
      e_partkey: (_, row) => row % 40,
      e_suppkey: (_, row) => Math.floor(row / 40),
      e_cost: cents(90),
    },
  },
  d: {
    rowCount: 600,
    columns: {
      d_date: (_, row) => new Date(Date.UTC(1994, 0, 1 + row)).toISOString(),
      d_kind: oneOf("holiday", "working day", "weekend"),
    },
  },
  p: {
    rowCount: 40,
    columns: {
      p_partkey: (_, row) => row,
      p_type: oneOf("PROMO BRASS", "STANDARD TIN", "promo lower"),
    },
  },
};

function typeOf(values: readonly Cell[]): "numeric" | "datetime" | "hierarchy" {
  const value = values.find((each) => each !== null);
  if (typeof value === "number") return "numeric";
  return /^\d{4}-.*Z$/.test(String(value)) ? "datetime" : "hierarchy";
}

function makeDatasets(random: Random): readonly JoinedDataset[] {
  return Object.entries(tables).map(([id, { rowCount, columns }]) => {
    const makers = Object.values(columns);
    const rows = Array.from({ length: rowCount }, (_, row) =>
      makers.map((make) => make(random, row)),
    );
    return {
      id,
      rows,
      columns: Object.keys(columns).map((name, index) => ({
        id: name,
        type: typeOf(rows.map((row) => row[index] ?? null)),
      })),
    };
  });
}

const sqlTypes = { numeric: "double", datetime: "timestamp", hierarchy: "varchar" } as const;

async function fill(connection: DuckDBConnection, { id, columns, rows }: JoinedDataset) {
  const definitions = columns.map((each) => `${each.id} ${sqlTypes[each.type as "numeric"]}`);
  await connection.run(`create table ${id} (${definitions.join(", ")})`);
  const literal = (cell: Cell) =>
    typeof cell === "string" ? `'${cell.replace(/Z$/, "")}'` : String(cell);
  const lines = rows.map((row) => `(${row.map(literal).join(", ")})`);
  await connection.run(`insert into ${id} values ${lines.join(", ")}`);
}

/** Converts a cell of DuckDB to the form that plain answers have. */
function plainCell(value: unknown): string | number | null {
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "object" && value !== null && "micros" in value)
    return new Date(Number((value as { readonly micros: bigint }).micros / 1000n)).toISOString();
  return value as string | number | null;
}

function isClose(found: unknown, wanted: unknown): boolean {
  if (typeof found !== "number" || typeof wanted !== "number") return found === wanted;
  return Math.abs(found - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted));
}

suite("core/queries/oracle/benchmarkQuestions", (test) => {
  let dir: string;
  let strata: Plugin;
  let host: JoinedHost;
  let duckdb: DuckDBInstance;
  let connection: DuckDBConnection;
  test.before(async () => {
    dir = await mkdtemp(join(tmpdir(), "manifold-benchmark-questions-"));
    strata = await openStrata({ dir, workers: 1, memoryBytes: 2 ** 28, warmUp: false });
    const datasets = makeDatasets(createRandom());
    duckdb = await DuckDBInstance.create(":memory:", { threads: "1" });
    connection = await duckdb.connect();
    for (const dataset of datasets) await fill(connection, dataset);
    host = await createJoinedHost({
      datasets,
      links: [
        ["l_orderkey", "o_orderkey"],
        ["o_custkey", "c_custkey"],
        ["l_partkey", "p_partkey"],
        ["l_suppkey", "s_suppkey"],
        ["s_nationkey", "n_nationkey"],
        ["n_nationkey", "c_nationkey"],
        ["l_partkey", "e_partkey"],
        ["e_suppkey", "l_suppkey"],
        ["o_orderdate", "d_date"],
        ["l_shipdate", "d_date"],
      ],
      plugins: Object.fromEntries(datasets.map(({ id }) => [id, strata])),
      scratch: strata,
    });
  });
  test.after(async () => {
    connection.closeSync();
    duckdb.closeSync();
    await strata.close?.();
    await rm(dir, { recursive: true, force: true });
  });

  for (const { name, find, sql } of questions)
    test(`${name}: one query gives the same answer as DuckDB`, async () => {
      const { options, ...query } = find as { readonly options?: object };
      const { data } = await host.sendQuery({ ...query, options: { cells: "plain", ...options } });
      const reader = await connection.runAndReadAll(sql);
      const expected = reader.getRows().map((row): Row => row.map(plainCell));
      assert.ok(expected.length > 0);
      assert.is(data.length, expected.length);
      for (const [index, row] of expected.entries())
        for (const [place, wanted] of row.entries()) {
          const found = data[index]?.[place];
          assert.ok(
            isClose(found, wanted),
            `row ${index}, cell ${place}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`,
          );
        }
    });
});
