import type { BoundValue } from "../expressions/boundValue.ts";
import type { BoundKey } from "./boundPlan.ts";

/** A value of a key: that of a key that forms groups, or an expression whose columns are such keys. */
export type KeyOutput =
  | { readonly kind: "key"; readonly key: number }
  | { readonly kind: "derivedkey"; readonly of: BoundValue };

/**
 * Removes the keys that are functions of columns that are keys themselves. They add no groups, so they are computed
 * once for each group. Returns the other keys, and an output for every given key.
 */
export function deriveKeys(all: readonly BoundKey[]): {
  readonly keys: readonly BoundKey[];
  readonly outputs: readonly KeyOutput[];
} {
  const keys: BoundKey[] = [];
  /** The place in `keys` of each column that is a key. */
  const places = new Map<number, number>();
  const derived = new Map<BoundKey, BoundValue>();
  const bases = new Set(all.flatMap((key) => columnOf(key) ?? []));
  for (const key of all) {
    const column = columnOf(key);
    const of = valueOf(key);
    if (column !== undefined && !places.has(column)) places.set(column, keys.push(key) - 1);
    else if (of && reads(of, bases)) derived.set(key, of);
    else keys.push(key);
  }
  const outputs = all.map((key): KeyOutput => {
    const of = derived.get(key);
    if (of) return { kind: "derivedkey", of: replaceColumns(of, places) };
    return { kind: "key", key: keys.indexOf(key) };
  });
  return { keys, outputs };
}

function valueOf(key: BoundKey): BoundValue | undefined {
  return key.kind === "whole" || key.kind === "value" ? key.of : undefined;
}

function columnOf(key: BoundKey): number | undefined {
  const of = valueOf(key);
  return of?.kind === "column" ? of.column : undefined;
}

/** Returns whether an expression consists of calls, literals and at least one of the columns, and of nothing else. */
function reads(of: BoundValue, columns: ReadonlySet<number>): boolean {
  if (of.kind === "column") return columns.has(of.column);
  if (of.kind !== "call") return false;
  const parts = of.of.filter(({ kind }) => kind !== "literal");
  return parts.length > 0 && parts.every((part) => reads(part, columns));
}

function replaceColumns(of: BoundValue, places: ReadonlyMap<number, number>): BoundValue {
  if (of.kind === "column") {
    const column = places.get(of.column);
    if (column === undefined) throw new RangeError(`column ${of.column} is not a key`);
    return { kind: "column", column };
  }
  if (of.kind !== "call") return of;
  return { ...of, of: of.of.map((part) => replaceColumns(part, places)) };
}
