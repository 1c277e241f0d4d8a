import type { ColumnDefinition, Expression, Predicate } from "../../../../engine/index.ts";
import type { PublicPart, PublicTable } from "../publicPart.ts";
import {
  average,
  call,
  compare,
  day,
  down,
  formula,
  number,
  rows,
  startsWith,
  sum,
  term,
  up,
} from "../terms.ts";

const numbers = (...names: string[]): ColumnDefinition[] =>
  names.map((name) => ({ name, type: "number" }));
const texts = (...names: string[]): ColumnDefinition[] =>
  names.map((name) => ({ name, type: "text" }));
const dates = (...names: string[]): ColumnDefinition[] =>
  names.map((name) => ({ name, type: "datetime" }));

/** Returns the tables, in the proportions of TPC-H: four lines per order, ten orders per customer. */
function tables(lineCount: number, seed: number): readonly PublicTable[] {
  const orders = Math.max(50, Math.round(lineCount / 4));
  const customers = Math.max(20, Math.round(orders / 10));
  const suppliers = Math.max(10, Math.round(lineCount / 600));
  const parts = Math.max(50, Math.round(lineCount / 30));
  const pick = (name: string, count: number, of = "i") =>
    `(hash(${of}, '${name}', ${seed}) % ${count})`;
  const choose = (name: string, values: readonly string[]) =>
    `list_value(${values.map((value) => `'${value}'`).join(", ")})[1 + ${pick(name, values.length)}::integer]`;
  const orderDay = `(date '1992-01-01' + ${pick("order day", 2406, "o")}::integer)`;
  return [
    {
      name: "region",
      columns: [...numbers("r_regionkey"), ...texts("r_name")],
      fewValued: ["r_name"],
      clickhouseOrder: ["r_regionkey"],
      sql: `select i::integer as r_regionkey, list_value('AFRICA', 'AMERICA', 'ASIA', 'EUROPE', 'MIDDLE EAST')[i + 1] as r_name from range(5) r(i)`,
    },
    {
      name: "nation",
      columns: [...numbers("n_nationkey", "n_regionkey"), ...texts("n_name")],
      fewValued: ["n_name"],
      clickhouseOrder: ["n_nationkey"],
      sql: `select i::integer as n_nationkey, (i % 5)::integer as n_regionkey, 'NATION ' || i as n_name from range(25) r(i)`,
    },
    {
      name: "part",
      columns: [...numbers("p_partkey"), ...texts("p_type")],
      fewValued: ["p_type"],
      clickhouseOrder: ["p_partkey"],
      sql: `select (i + 1)::integer as p_partkey, ${choose("type 1", ["STANDARD", "SMALL", "MEDIUM", "LARGE", "ECONOMY", "PROMO"])} || ' ' || ${choose("type 2", ["ANODIZED", "BURNISHED", "PLATED", "POLISHED", "BRUSHED"])} || ' ' || ${choose("type 3", ["TIN", "NICKEL", "BRASS", "STEEL", "COPPER"])} as p_type from range(${parts}) r(i)`,
    },
    {
      name: "customer",
      columns: [
        ...numbers("c_custkey", "c_nationkey", "c_acctbal"),
        ...texts("c_name", "c_phone", "c_mktsegment"),
      ],
      fewValued: ["c_mktsegment"],
      clickhouseOrder: ["c_custkey"],
      sql: `select (i + 1)::integer as c_custkey, ${pick("nation", 25)}::integer as c_nationkey, (${pick("balance", 1_100_000)} / 100.0 - 1000)::double as c_acctbal, 'Customer#' || lpad((i + 1)::varchar, 9, '0') as c_name, (10 + c_nationkey) || '-' || lpad(${pick("phone", 10_000_000)}::varchar, 7, '0') as c_phone, ${choose("segment", ["AUTOMOBILE", "BUILDING", "FURNITURE", "HOUSEHOLD", "MACHINERY"])} as c_mktsegment from range(${customers}) r(i)`,
    },
    {
      name: "orders",
      columns: [
        ...numbers("o_orderkey", "o_custkey", "o_shippriority"),
        ...dates("o_orderdate"),
        ...texts("o_orderpriority"),
      ],
      fewValued: ["o_orderpriority"],
      clickhouseOrder: ["o_orderkey"],
      sql: `select (o + 1)::integer as o_orderkey, (1 + ${pick("customer", customers, "o")})::integer as o_custkey, 0 as o_shippriority, ${orderDay} as o_orderdate, list_value('1-URGENT', '2-HIGH', '3-MEDIUM', '4-NOT SPECIFIED', '5-LOW')[1 + ${pick("priority", 5, "o")}::integer] as o_orderpriority from range(${orders}) r(o)`,
    },
    {
      name: "lineitem",
      columns: [
        ...numbers(
          "l_orderkey",
          "l_partkey",
          "l_suppkey",
          "l_quantity",
          "l_extendedprice",
          "l_discount",
          "l_tax",
        ),
        ...texts("l_returnflag", "l_linestatus", "l_shipmode"),
        ...dates("l_shipdate", "l_commitdate", "l_receiptdate"),
      ],
      fewValued: ["l_returnflag", "l_linestatus", "l_shipmode"],
      clickhouseOrder: ["l_orderkey"],
      sql: `select (o + 1)::integer as l_orderkey, (1 + ${pick("part", parts)})::integer as l_partkey, (1 + ${pick("supplier", suppliers)})::integer as l_suppkey, (1 + ${pick("quantity", 50)})::double as l_quantity, round(l_quantity * (900 + ${pick("price", 110_000)} / 100.0), 2)::double as l_extendedprice, ${pick("discount", 11)} / 100.0::double as l_discount, ${pick("tax", 9)} / 100.0::double as l_tax, (${orderDay} + (1 + ${pick("shipped", 121)})::integer)::date as l_shipdate, (${orderDay} + (30 + ${pick("committed", 61)})::integer)::date as l_commitdate, (l_shipdate + (1 + ${pick("received", 30)})::integer)::date as l_receiptdate, case when l_receiptdate > date '1995-06-17' then 'N' when ${pick("flag", 2)} = 0 then 'R' else 'A' end as l_returnflag, case when l_shipdate > date '1995-06-17' then 'O' else 'F' end as l_linestatus, ${choose("mode", ["REG AIR", "AIR", "RAIL", "SHIP", "TRUCK", "MAIL", "FOB"])} as l_shipmode from (select i, i // 4 as o from range(${lineCount}) r(i))`,
    },
  ];
}

const one = number(1);
const net = call("multiply", "l_extendedprice", call("subtract", one, "l_discount"));

const choice = (when: Predicate, then: Expression, otherwise: Expression): Expression => ({
  kind: "case",
  branches: [{ when, then }],
  otherwise,
});

/** Eight questions of TPC-H, of which the API can express five. */
export function tpch(rowCount: number, seed: number): PublicPart {
  return {
    name: "tpch",
    tables: tables(rowCount, seed),
    links: [
      {
        name: "order",
        table: "orders",
        left: { table: "lineitem", name: "l_orderkey" },
        right: "o_orderkey",
      },
      {
        name: "customer",
        table: "customer",
        left: { table: "orders", name: "o_custkey", join: "order" },
        right: "c_custkey",
      },
      {
        name: "nation",
        table: "nation",
        left: { table: "customer", name: "c_nationkey", join: "customer" },
        right: "n_nationkey",
      },
      {
        name: "part",
        table: "part",
        left: { table: "lineitem", name: "l_partkey" },
        right: "p_partkey",
      },
    ],
    questions: [
      {
        name: "Q1",
        table: "lineitem",
        keys: [term("l_returnflag"), term("l_linestatus")],
        measures: [
          sum("l_quantity"),
          sum("l_extendedprice"),
          sum(net),
          sum(call("multiply", net, call("add", one, "l_tax"))),
          average("l_quantity"),
          average("l_extendedprice"),
          average("l_discount"),
          rows,
        ],
        where: [compare("l_shipdate", "<=", day("1998-09-02"))],
        order: [up(0), up(1)],
      },
      {
        name: "Q3",
        table: "lineitem",
        keys: [term("l_orderkey"), term("order.o_orderdate"), term("order.o_shippriority")],
        measures: [sum(net)],
        where: [
          compare("customer.c_mktsegment", "=", "BUILDING"),
          compare("order.o_orderdate", "<", day("1995-03-15")),
          compare("l_shipdate", ">", day("1995-03-15")),
        ],
        order: [down(3), up(1)],
        limit: { count: 10, offset: 0 },
      },
      {
        name: "Q6",
        table: "lineitem",
        keys: [],
        measures: [sum(call("multiply", "l_extendedprice", "l_discount"))],
        where: [
          compare("l_shipdate", ">=", day("1994-01-01")),
          compare("l_shipdate", "<", day("1995-01-01")),
          compare("l_discount", ">=", 0.05),
          compare("l_discount", "<=", 0.07),
          compare("l_quantity", "<", 24),
        ],
      },
      {
        name: "Q10",
        table: "lineitem",
        keys: [
          term("customer.c_custkey"),
          term("customer.c_name"),
          term("customer.c_acctbal"),
          term("customer.c_phone"),
          term("nation.n_name"),
        ],
        measures: [sum(net)],
        where: [
          compare("order.o_orderdate", ">=", day("1993-10-01")),
          compare("order.o_orderdate", "<", day("1994-01-01")),
          compare("l_returnflag", "=", "R"),
        ],
        order: [down(5)],
        limit: { count: 20, offset: 0 },
      },
      {
        name: "Q14",
        table: "lineitem",
        keys: [],
        measures: [
          formula(
            "divide",
            formula(
              "multiply",
              100,
              sum(choice(startsWith("part.p_type", "PROMO"), net, number(0))),
            ),
            sum(net),
          ),
        ],
        where: [
          compare("l_shipdate", ">=", day("1995-09-01")),
          compare("l_shipdate", "<", day("1995-10-01")),
        ],
      },
    ],
    unsaid: [
      {
        name: "Q5",
        reason: "nation has two roles, that of the customer and that of the supplier",
      },
      { name: "Q9", reason: "partsupp is joined by a key of two columns" },
      {
        name: "Q12",
        reason:
          "it counts lines by a column of orders, and a measure of orders counts each order once",
      },
    ],
    bars: { duckdb: 1.5, peers: 1.2, each: 0.7 },
  };
}
