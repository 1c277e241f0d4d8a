import type { ColumnDefinition } from "../../../engine/index.ts";

/** A table of the star schema: its columns, and the DuckDB query that generates its rows. */
export interface StarTable {
  readonly name: string;
  readonly columns: readonly ColumnDefinition[];
  readonly sql: string;
}

/** Lists the regions, with five nations in each. */
const regions = ["AFRICA", "AMERICA", "ASIA", "EUROPE", "MIDDLE EAST"];

/**
 * Returns the tables of a star schema like the Star Schema Benchmark of O'Neil, O'Neil and Chen (2009). The values are
 * own ones, from a hash of the row and the seed. The dimensions have the benchmark's sizes for the number of facts:
 * 200,000 parts, 30,000 customers and 2,000 suppliers for 6,000,000 facts, and always seven years of days.
 */
export function starTables(rowCount: number, seed: number): readonly StarTable[] {
  const scale = rowCount / 6_000_000;
  const sizes = {
    parts: Math.max(1000, Math.round(200_000 * scale)),
    customers: Math.max(500, Math.round(30_000 * scale)),
    suppliers: Math.max(200, Math.round(2000 * scale)),
  };
  const pick = (name: string, count: number | string, of = "i") =>
    `(hash(${of}, '${name}', ${seed}) % ${count})::integer`;
  const place = (name: string) =>
    `list_value(${regions.map((region) => `'${region}'`).join(", ")})[${pick(name, 5)} + 1]`;
  const placed = (name: string, count: number, letter: string) =>
    `select *, ${letter}_nation || '-' || ${pick(`${name} city`, 10, `${letter}_key`)} as ${letter}_city
     from (select i::integer as ${letter}_key, ${place(name)} as ${letter}_region,
       ${letter}_region || ' N' || ${pick(`${name} nation`, 5)} as ${letter}_nation
       from range(1, ${count + 1}) r(i))`;
  const texts = (...names: string[]) => names.map((name) => ({ name, type: "text" as const }));
  const numbers = (...names: string[]) => names.map((name) => ({ name, type: "number" as const }));
  return [
    {
      name: "days",
      columns: [...numbers("d_key", "d_year", "d_yearmonthnum", "d_week"), ...texts("d_yearmonth")],
      sql: `select strftime(day, '%Y%m%d')::integer as d_key, year(day)::integer as d_year,
        strftime(day, '%Y%m')::integer as d_yearmonthnum, week(day)::integer as d_week,
        strftime(day, '%b%Y') as d_yearmonth
        from (select unnest(generate_series(date '1992-01-01', date '1998-12-31', interval 1 day)) as day)`,
    },
    {
      name: "parts",
      columns: [...numbers("p_key"), ...texts("p_mfgr", "p_category", "p_brand")],
      sql: `select i::integer as p_key, 'MFGR#' || m as p_mfgr, p_mfgr || c as p_category,
        p_category || '-' || ${pick("brand", 40)} as p_brand
        from (select i, 1 + ${pick("mfgr", 5)} as m, 1 + ${pick("category", 5)} as c
          from range(1, ${sizes.parts + 1}) r(i))`,
    },
    {
      name: "customers",
      columns: [...numbers("c_key"), ...texts("c_region", "c_nation", "c_city")],
      sql: placed("customer", sizes.customers, "c"),
    },
    {
      name: "suppliers",
      columns: [...numbers("s_key"), ...texts("s_region", "s_nation", "s_city")],
      sql: placed("supplier", sizes.suppliers, "s"),
    },
    {
      name: "facts",
      columns: numbers(
        "part",
        "customer",
        "supplier",
        "day",
        "quantity",
        "price",
        "discount",
        "revenue",
        "cost",
      ),
      sql: `select 1 + ${pick("part", sizes.parts)} as part,
        1 + ${pick("customer", sizes.customers)} as customer,
        1 + ${pick("supplier", sizes.suppliers)} as supplier,
        strftime(date '1992-01-01' + ${pick("day", 2557)}, '%Y%m%d')::integer as day,
        1 + ${pick("quantity", 50)} as quantity,
        90000 + ${pick("price", 10_000_000)} as price,
        ${pick("discount", 11)} as discount,
        (price * (100 - discount) // 100)::integer as revenue,
        (price * 6 // 10)::integer as cost
        from range(${rowCount}) r(i)`,
    },
  ];
}
