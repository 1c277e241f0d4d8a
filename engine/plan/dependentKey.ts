import type { BoundCode, BoundValue } from "../expressions/boundValue.ts";
import { isSameIndex } from "../expressions/testInTable.ts";
import type { BoundKey } from "./boundPlan.ts";
import { isJoinedTable } from "./bindJoins.ts";
import { keyValue } from "./keyValue.ts";

/** The values of a key in a table of a joined column, which is read by number or by code. */
type TabledKey = Extract<BoundCode | BoundValue, { kind: "byNumber" | "byCode" }>;

/** Maximum number of entries of a table that are compared while a plan is bound, which takes some milliseconds. */
const mostEntries = 2 ** 20;
/**
 * Maximum number of values of a key, relative to the entries of its table, for which other keys are tabulated by it.
 */
const mostPerEntry = 4;

/**
 * Returns a key as a function of another key, whose value is column `place`: two columns of one dimension, of which one
 * determines the other, as an id determines a name. Returns undefined for other keys. Takes O(entries of the lookup
 * table) for the first query after a change, because the tables of joined columns are cached.
 */
export function dependentKey(
  key: BoundKey,
  on: BoundKey,
  place: number,
): BoundValue | BoundCode | undefined {
  const from = tabled(on);
  const to = tabled(key);
  if (!from || !to || !readSame(from, to)) return undefined;
  const table = kept(on, from, to);
  if (!table) return undefined;
  const column = { kind: "column", column: place } as const;
  const isByCode = on.kind === "text";
  const base = on.kind === "whole" ? on.base : 0;
  if (table instanceof Uint32Array)
    return isByCode
      ? { kind: "byCode", column: place, codes: table }
      : { kind: "byNumber", of: column, base, codes: table };
  return isByCode
    ? { kind: "byCode", column: place, values: table }
    : { kind: "byNumber", of: column, base, values: table };
}

/** Returns the table of a key whose value is the value in the table: not a period of it, and not a number of it. */
function tabled(key: BoundKey): TabledKey | undefined {
  const of = keyValue(key);
  if (of?.kind !== "byNumber" && of?.kind !== "byCode") return undefined;
  const table = tableOf(of);
  return table && table.length <= mostEntries && isJoinedTable(table) ? of : undefined;
}

const tableOf = (of: TabledKey): Table | undefined => ("values" in of ? of.values : of.codes);

/** Returns whether two tables are read at the same place in every row. */
function readSame(one: TabledKey, other: TabledKey): boolean {
  if (tableOf(one)?.length !== tableOf(other)?.length) return false;
  if (one.kind === "byCode") return other.kind === "byCode" && one.column === other.column;
  return other.kind === "byNumber" && isSameIndex(one, other);
}

type Table = Uint32Array | Float64Array;

/** The values of a table by the values of another table; null if these do not determine them. */
const functions = new WeakMap<Table, WeakMap<Table, Table | null>>();

function kept(on: BoundKey, from: TabledKey, to: TabledKey): Table | null {
  const [keys, values] = [tableOf(from), tableOf(to)];
  if (!keys || !values) return null;
  const known = functions.get(keys) ?? new WeakMap<Table, Table | null>();
  functions.set(keys, known);
  let table = known.get(values);
  if (table === undefined) known.set(values, (table = tabulate(on, keys, values) ?? null));
  return table;
}

/** Tabulates values by the numbers of a key; undefined if a number has several values. */
function tabulate(on: BoundKey, keys: Table, values: Table): Table | undefined {
  const numbers = numbersOf(on, keys);
  if (!numbers || !("cardinality" in on)) return undefined;
  const { cardinality } = on;
  const isKnown = new Uint8Array(cardinality);
  const table =
    values instanceof Uint32Array
      ? new Uint32Array(new SharedArrayBuffer(cardinality * 4))
      : new Float64Array(new SharedArrayBuffer(cardinality * 8)).fill(NaN);
  for (let place = 0; place < keys.length; place++) {
    const number = numbers(keys[place]);
    const value = values[place];
    if (isKnown[number] === 0) {
      isKnown[number] = 1;
      table[number] = value;
      continue;
    }
    const found = table[number];
    if (found !== value && (found === found || value === value)) return undefined;
  }
  return table;
}

/** Returns the number of a value of a key; undefined if its values are not numbered, or too many to tabulate. */
function numbersOf(on: BoundKey, { length }: Table): ((value: number) => number) | undefined {
  if (!("cardinality" in on) || on.cardinality > length * mostPerEntry + 1) return undefined;
  if (on.kind === "text" && !on.values) return (code) => code;
  if (on.kind !== "whole" || on.decimals !== 0 || (on.step ?? 1) !== 1) return undefined;
  const { base } = on;
  return (value) => (value === value ? value - base + 1 : 0);
}
