import type { Expression, Join, Plan, Predicate } from "../../../engine/index.ts";

/** One question, as a plan of the engine and as SQL. */
export interface StarQuestion {
  readonly name: string;
  readonly plan: Plan;
  readonly sql: string;
}

interface Dimension {
  readonly table: string;
  readonly key: string;
  readonly link: string;
}

const dimensions: Readonly<Record<string, Dimension>> = {
  d: { table: "days", key: "d_key", link: "day" },
  p: { table: "parts", key: "p_key", link: "part" },
  c: { table: "customers", key: "c_key", link: "customer" },
  s: { table: "suppliers", key: "s_key", link: "supplier" },
};

/** The values that a column may have: a list, or an inclusive range of numbers. */
type Allowed = readonly (string | number)[] | { readonly from: number; readonly to: number };

interface Shape {
  readonly name: string;
  readonly measure: readonly [operator: string, ...columns: string[]];
  readonly keys?: readonly string[];
  readonly where?: Readonly<Record<string, Allowed>>;
  /** Whether the last key ascends and the sum descends within it; otherwise keys ascend. */
  readonly isBySum?: boolean;
}

const operators: Readonly<Record<string, string>> = { multiply: "*", subtract: "-" };

/** Returns the dimension of a column from the letter before its name; undefined for a column of the facts. */
const dimensionOf = (name: string) => (name[1] === "_" ? name.slice(0, 1) : undefined);

function column(name: string): Expression {
  const join = dimensionOf(name);
  return { kind: "column", name, ...(join !== undefined && { join }) };
}

function testOf(name: string, allowed: Allowed): Predicate {
  const left = column(name);
  if ("from" in allowed)
    return {
      kind: "and",
      of: [
        { kind: "compare", left, operator: ">=", value: allowed.from },
        { kind: "compare", left, operator: "<=", value: allowed.to },
      ],
    };
  const [only, ...others] = allowed;
  return only !== undefined && others.length === 0
    ? { kind: "compare", left, operator: "=", value: only }
    : { kind: "in", left, values: allowed };
}

function testSql(name: string, allowed: Allowed): string {
  if ("from" in allowed) return `${name} between ${allowed.from} and ${allowed.to}`;
  const literals = allowed.map((value) => (typeof value === "string" ? `'${value}'` : value));
  return `${name} in (${literals.join(", ")})`;
}

function question({ name, measure, keys = [], where = {}, isBySum = false }: Shape): StarQuestion {
  const [operator, ...columns] = measure;
  const letters = new Set(
    [...keys, ...Object.keys(where)].flatMap((each) => dimensionOf(each) ?? []),
  );
  const joins = [...letters].map((letter): Join => {
    const { table, key, link } = dimensions[letter]!;
    return { name: letter, table, left: { name: link }, right: key };
  });
  const order = isBySum
    ? [
        { output: keys.length - 1, descending: false },
        { output: keys.length, descending: true },
      ]
    : keys.map((_, output) => ({ output, descending: false }));
  const sum = columns.join(` ${operators[operator]} `);
  const tests = [
    ...joins.map(({ left, right }) => `${left.name} = ${right}`),
    ...Object.entries(where).map(([each, allowed]) => testSql(each, allowed)),
  ];
  return {
    name,
    plan: {
      table: "facts",
      joins,
      grouped: true,
      outputs: [
        ...keys.map((key) => ({ kind: "key", of: column(key) }) as const),
        {
          kind: "aggregate",
          function: "sum",
          of:
            columns.length === 1
              ? column(columns[0]!)
              : { kind: "call", function: operator, of: columns.map(column) },
        },
      ],
      filter: {
        kind: "and",
        of: Object.entries(where).map(([each, allowed]) => testOf(each, allowed)),
      },
      order,
    },
    sql: [
      `select ${[...keys, `sum(${sum})::double`].join(", ")}`,
      `from ${["facts", ...joins.map(({ table }) => table)].join(", ")}`,
      tests.length > 0 ? `where ${tests.join(" and ")}` : "",
      keys.length > 0 ? `group by ${keys.join(", ")}` : "",
      order.length > 0
        ? `order by ${order.map((each) => `${each.output + 1} ${each.descending ? "desc" : "asc"}`).join(", ")}`
        : "",
    ].join(" "),
  };
}

const revenue = ["", "revenue"] as const;
const discounted = ["multiply", "price", "discount"] as const;
const profit = ["subtract", "revenue", "cost"] as const;
const america = ["AMERICA"];
const twoCities = ["AMERICA N1-0", "AMERICA N1-5"];

const shapes: readonly Shape[] = [
  {
    name: "1.1",
    measure: discounted,
    where: { d_year: [1993], discount: { from: 1, to: 3 }, quantity: { from: 0, to: 24 } },
  },
  {
    name: "1.2",
    measure: discounted,
    where: {
      d_yearmonthnum: [199401],
      discount: { from: 4, to: 6 },
      quantity: { from: 26, to: 35 },
    },
  },
  {
    name: "1.3",
    measure: discounted,
    where: {
      d_week: [6],
      d_year: [1994],
      discount: { from: 5, to: 7 },
      quantity: { from: 26, to: 35 },
    },
  },
  {
    name: "2.1",
    measure: revenue,
    keys: ["d_year", "p_brand"],
    where: { p_category: ["MFGR#12"], s_region: america },
  },
  {
    name: "2.2",
    measure: revenue,
    keys: ["d_year", "p_brand"],
    where: {
      p_brand: [21, 22, 23, 24, 25, 26, 27, 28].map((brand) => `MFGR#22-${brand}`),
      s_region: ["ASIA"],
    },
  },
  {
    name: "2.3",
    measure: revenue,
    keys: ["d_year", "p_brand"],
    where: { p_brand: ["MFGR#22-21"], s_region: ["EUROPE"] },
  },
  {
    name: "3.1",
    measure: revenue,
    keys: ["c_nation", "s_nation", "d_year"],
    where: { c_region: ["ASIA"], s_region: ["ASIA"], d_year: { from: 1992, to: 1997 } },
    isBySum: true,
  },
  {
    name: "3.2",
    measure: revenue,
    keys: ["c_city", "s_city", "d_year"],
    where: {
      c_nation: ["AMERICA N1"],
      s_nation: ["AMERICA N1"],
      d_year: { from: 1992, to: 1997 },
    },
    isBySum: true,
  },
  {
    name: "3.3",
    measure: revenue,
    keys: ["c_city", "s_city", "d_year"],
    where: { c_city: twoCities, s_city: twoCities, d_year: { from: 1992, to: 1997 } },
    isBySum: true,
  },
  {
    name: "3.4",
    measure: revenue,
    keys: ["c_city", "s_city", "d_year"],
    where: { c_city: twoCities, s_city: twoCities, d_yearmonth: ["Dec1997"] },
    isBySum: true,
  },
  {
    name: "4.1",
    measure: profit,
    keys: ["d_year", "c_nation"],
    where: { c_region: america, s_region: america, p_mfgr: ["MFGR#1", "MFGR#2"] },
  },
  {
    name: "4.2",
    measure: profit,
    keys: ["d_year", "s_nation", "p_category"],
    where: {
      c_region: america,
      s_region: america,
      d_year: [1997, 1998],
      p_mfgr: ["MFGR#1", "MFGR#2"],
    },
  },
  {
    name: "4.3",
    measure: profit,
    keys: ["d_year", "s_city", "p_brand"],
    where: {
      c_region: america,
      s_nation: ["AMERICA N1"],
      d_year: [1997, 1998],
      p_category: ["MFGR#14"],
    },
  },
];

/** The thirteen questions of the Star Schema Benchmark, in its four flights. */
export const starQuestions: readonly StarQuestion[] = shapes.map(question);
