import type { BoundCode, BoundValue } from "../expressions/boundValue.ts";
import type { BoundKey } from "./boundPlan.ts";
import { dependentKey } from "./dependentKey.ts";
import { keyValue } from "./keyValue.ts";

/** A value of a key: that of a key that forms groups, or a function of such keys, whose columns are these keys. */
export type KeyOutput =
  | { readonly kind: "key"; readonly key: number }
  | { readonly kind: "derivedkey"; readonly of: BoundValue | BoundCode };

/**
 * Removes the keys that other keys determine: functions of columns that are keys themselves, columns of tables that
 * such a column joins, and columns of a dimension of which another column is a key. They add no groups, so they are
 * computed once for each group. Returns the other keys, and an output for every given key.
 */
export function deriveKeys(all: readonly BoundKey[]): {
  readonly keys: readonly BoundKey[];
  readonly outputs: readonly KeyOutput[];
} {
  /** The key of each column that is a key. */
  const keyByColumn = new Map<number, BoundKey>();
  for (const key of all) {
    const column = columnOf(key);
    if (column !== undefined && !keyByColumn.has(column)) keyByColumn.set(column, key);
  }
  const columnKeys = new Set(keyByColumn.values());
  const derived = new Set(
    all.filter((key) => !columnKeys.has(key) && reads(keyValue(key), keyByColumn)),
  );
  const determining = determiningKeys(all.filter((key) => !derived.has(key)));
  const keys = all.filter((key) => !derived.has(key) && !determining.has(key));
  const places = new Map(
    [...keyByColumn].map(([column, key]) => [column, keys.indexOf(key)] as const),
  );
  const outputs = all.map((key): KeyOutput => {
    if (derived.has(key)) return { kind: "derivedkey", of: placedValue(key, places) };
    const on = determining.get(key);
    const of = on && dependentKey(key, on, keys.indexOf(on));
    return of ? { kind: "derivedkey", of } : { kind: "key", key: keys.indexOf(key) };
  });
  return { keys, outputs };
}

/** Returns the key that determines each key that another one determines. Keys with many values come first. */
function determiningKeys(keys: readonly BoundKey[]): ReadonlyMap<BoundKey, BoundKey> {
  const determining = new Map<BoundKey, BoundKey>();
  const left: BoundKey[] = [];
  for (const key of keys.toSorted((one, other) => cardinalityOf(other) - cardinalityOf(one))) {
    const on = left.find((each) => dependentKey(key, each, 0) !== undefined);
    if (on) determining.set(key, on);
    else left.push(key);
  }
  return determining;
}

const cardinalityOf = (key: BoundKey) => ("cardinality" in key ? key.cardinality : 0);

/** Returns the column whose values or strings are a key. */
function columnOf(key: BoundKey): number | undefined {
  const of = keyValue(key);
  if (of?.kind === "column") return of.column;
  return of?.kind === "byCode" && !("values" in of) && !of.codes ? of.column : undefined;
}

type Columns = Pick<ReadonlyMap<number, unknown>, "has">;

/**
 * Returns whether an expression consists of calls, look-ups, literals and at least one of the columns, and of nothing
 * else.
 */
function reads(of: BoundValue | BoundCode | undefined, columns: Columns): boolean {
  switch (of?.kind) {
    case "column":
    case "byCode":
      return columns.has(of.column);
    case "byNumber":
    case "rowOf":
      return reads(of.of, columns);
    case "call": {
      const parts = of.of.filter(({ kind }) => kind !== "literal");
      return parts.length > 0 && parts.every((part) => reads(part, columns));
    }
    case "bin":
    case "case":
    case "code":
    case "literal":
    case "period":
    case "rows":
    case undefined:
      return false;
  }
}

type Places = ReadonlyMap<number, number>;

/** Returns the value of a key that `reads` accepts, with the places of its columns. */
function placedValue(key: BoundKey, places: Places): BoundValue | BoundCode {
  if (key.kind === "text") return placedCode(key.code, places);
  if (key.kind === "whole" || key.kind === "value") return placedNumber(key.of, places);
  throw new TypeError(`a key of kind ${key.kind} is not a function of other keys`);
}

function placedCode(code: BoundCode, places: Places): BoundCode {
  if (code.kind === "byCode") return { ...code, column: placeOf(code.column, places) };
  return code.kind === "byNumber" ? { ...code, of: placedNumber(code.of, places) } : code;
}

function placedNumber(of: BoundValue, places: Places): BoundValue {
  switch (of.kind) {
    case "column":
    case "byCode":
      return { ...of, column: placeOf(of.column, places) };
    case "byNumber":
    case "rowOf":
      return { ...of, of: placedNumber(of.of, places) };
    case "call":
      return { ...of, of: of.of.map((part) => placedNumber(part, places)) };
    case "bin":
    case "case":
    case "literal":
    case "period":
    case "rows":
      return of;
  }
}

function placeOf(column: number, places: Places): number {
  const place = places.get(column);
  if (place === undefined) throw new RangeError(`column ${column} is not a key`);
  return place;
}
