import type { Batch, Query } from "../../../plugins/protocol/index.ts";
import type { PlainColumn } from "../../support/plainHost.ts";

/** The columns of the orders, as the host describes them. */
export const orderColumns: readonly PlainColumn[] = [
  { id: "id", type: "numeric" },
  { id: "amount", type: "numeric" },
  { id: "price", type: "numeric" },
  { id: "status", type: "hierarchy" },
  { id: "customer", type: "hierarchy" },
  { id: "at", type: "datetime" },
];

export const columnNames: readonly string[] = orderColumns.map(({ id }) => id);

const customerCount = 50_000;
const firstMs = Date.UTC(2020, 0, 1);

/**
 * Returns SQL that creates and fills a table in PostgreSQL with the same rows as `orderBatch`. Its columns are named
 * `source.…`.
 */
export const createOrders = (rowCount: number): string => `
  create table orders as select
    i::int as "source.id",
    (i::bigint * 7919 % 100003)::float8 / 7 as "source.amount",
    ((i % 1000000)::numeric / 100)::numeric(12, 2) as "source.price",
    'status ' || i % 5 as "source.status",
    'customer ' || i::bigint * 31 % ${customerCount} as "source.customer",
    timestamptz '2020-01-01 00:00Z' + i * interval '13 minutes' as "source.at"
  from generate_series(1, ${rowCount}) i`;

/** Generates the orders with the numbers `from` to `to`, both included. */
export function orderBatch(from: number, to: number): Batch {
  const rowCount = to - from + 1;
  const numbers = (valueOf: (i: number) => number) =>
    Float64Array.from({ length: rowCount }, (_, row) => valueOf(from + row));
  const texts = (dictionary: readonly string[], codeOf: (i: number) => number) => ({
    type: "hierarchy" as const,
    codes: Int32Array.from({ length: rowCount }, (_, row) => codeOf(from + row)),
    dictionary,
  });
  return {
    rowCount,
    columns: [
      { type: "numeric", values: numbers((i) => i) },
      { type: "numeric", values: numbers((i) => ((i * 7919) % 100_003) / 7) },
      { type: "numeric", values: numbers((i) => (i % 1_000_000) / 100) },
      texts(statuses, (i) => i % 5),
      texts(customers, (i) => (i * 31) % customerCount),
      { type: "datetime", values: numbers((i) => firstMs + i * 780_000) },
    ],
  };
}

const statuses = Array.from({ length: 5 }, (_, code) => `status ${code}`);
const customers = Array.from({ length: customerCount }, (_, code) => `customer ${code}`);

/** A query whose residual reads every column, as an API call to the dataset `D`. */
export const everyColumn = {
  dimensions: [{ column_id: "status", dataset_id: "D" }],
  measures: [
    ...["id", "amount", "price"].map((id) => measure(id, "sum")),
    measure("customer", "distinctcount"),
    measure("at", "max"),
  ],
};

/** The same query in the protocol's form, to a plugin whose columns have the orders' own names. */
export const everyColumnOfScratch: Omit<Query, "id"> = {
  columns: [
    { column_id: "status" },
    ...["id", "amount", "price"].map((column_id) => ({ column_id, aggregation: "sum" as const })),
    { column_id: "customer", aggregation: "distinctcount" },
    { column_id: "at", aggregation: "max" },
  ],
  filters: [],
  order: [{ column: 0, order: "asc" }],
  options: { pushdown: true },
};

function measure(column_id: string, type: string) {
  return { column_id, dataset_id: "D", aggregation: { type } };
}
