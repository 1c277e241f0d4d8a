import type { BatchColumn, ColumnDefinition, Store } from "../../../engine/index.ts";
import { cardinalities, generateTable, textOf } from "../strata/generateTable.ts";

const rowsPerBatch = 500_000;

/**
 * The columns of the bench table of `strata`, followed by columns with other stored widths, with whole numbers and
 * nulls, and with whole seconds.
 */
const factColumns: readonly ColumnDefinition[] = [
  { name: "dt", type: "datetime" },
  { name: "s5", type: "text" },
  { name: "s50", type: "text" },
  { name: "s1000", type: "text" },
  { name: "i1", type: "number" },
  { name: "i2", type: "number" },
  { name: "x", type: "number" },
  { name: "y", type: "number" },
  { name: "z", type: "number" },
  { name: "s12", type: "text" },
  { name: "byte", type: "number" },
  { name: "word", type: "number" },
  { name: "long", type: "number" },
  { name: "nullable", type: "number" },
  { name: "second", type: "datetime" },
];

/**
 * Fills the table `f`, and the table `dim` with ten categories for the column `s1000`. Writes the rows to segment
 * files.
 */
export async function fillTables(store: Store, rowCount: number, seed: number): Promise<void> {
  await store.create({ name: "f", columns: factColumns });
  for (let from = 0; from < rowCount; from += rowsPerBatch) {
    const count = Math.min(rowsPerBatch, rowCount - from);
    await append(store, "f", factsOf(seed, rowCount, from, count));
  }
  await store.create({
    name: "dim",
    columns: [
      { name: "s1000", type: "text" },
      { name: "cat10", type: "text" },
    ],
  });
  const codes = Int32Array.from({ length: cardinalities.s1000 }, (_, code) => code);
  await append(store, "dim", {
    s1000: texts(codes, cardinalities.s1000, textOf.s1000),
    cat10: texts(
      codes.map((code) => code % 10),
      10,
      (code) => `category_${code}`,
    ),
  });
  await store.compact();
}

function factsOf(
  seed: number,
  rowCount: number,
  from: number,
  count: number,
): Record<string, BatchColumn> {
  const { dt, dtu, s5, s50, s1000, i1, i2, x, y, z } = generateTable({
    seed,
    rowCount,
    from,
    count,
  });
  const numbers = (valueOf: (row: number) => number): BatchColumn => ({
    type: "number",
    values: Float64Array.from({ length: count }, (_, row) => valueOf(row)),
  });
  return {
    dt: { type: "datetime", values: dt },
    s5: texts(s5, cardinalities.s5, textOf.s5),
    s50: texts(s50, cardinalities.s50, textOf.s50),
    s1000: texts(s1000, cardinalities.s1000, textOf.s1000),
    i1: numbers((row) => i1[row]!),
    i2: numbers((row) => i2[row]!),
    x: { type: "number", values: x },
    y: { type: "number", values: y },
    z: { type: "number", values: z },
    s12: texts(
      i1.map((value) => value % 12),
      12,
      (code) => `shop_${code}`,
    ),
    byte: numbers((row) => i1[row]! % 200),
    word: numbers((row) => i1[row]! % 50_000),
    long: numbers((row) => i1[row]! * 4000 + i2[row]!),
    nullable: numbers((row) => (i2[row]! < 10 ? NaN : x[row]!)),
    second: { type: "datetime", values: dtu.map((ms) => ms - (ms % 1000)) },
  };
}

function texts(codes: Int32Array, size: number, spell: (code: number) => string): BatchColumn {
  return {
    type: "text",
    codes,
    dictionary: Array.from({ length: size }, (_, code) => spell(code)),
  };
}

async function append(
  store: Store,
  table: string,
  columns: Readonly<Record<string, BatchColumn>>,
): Promise<void> {
  const [first] = Object.values(columns);
  const rowCount = first?.type === "text" ? first.codes.length : (first?.values.length ?? 0);
  const batch = { rowCount, columns: Object.values(columns) };
  await store.append({ table, rows: { names: Object.keys(columns), batch } });
}
