import type { Collation } from "../boundQuery.ts";
import type { Batch, NumericBatchColumn, BatchColumn } from "../../../plugins/protocol/index.ts";
import type { Residual } from "../queryPlan.ts";
import { sortInSlices } from "./sortInSlices.ts";
import { visitInSlices } from "./visitInSlices.ts";

/**
 * Prepares sorting by the rules of a language: appends columns with the rank of each string, and orders by them.
 * Strings that the language treats as equal are ordered by code point. The ranks are the last columns of the result.
 * O(n log n) for n distinct strings. Yields after each short step.
 */
export function* collate(
  residual: Residual,
  groups: Batch,
  { locale, columns }: Collation,
): Generator<undefined, { readonly residual: Residual; readonly groups: Batch }> {
  const { query } = residual;
  const places: NumericBatchColumn[] = [];
  for (const column of columns) {
    const vector = groups.columns[residual.vectors[column] ?? -1];
    if (vector?.type !== "hierarchy") throw new TypeError(`column ${column} must contain strings`);
    places.push(yield* placesOf(vector, locale));
  }
  const ids = columns.map((column) => `place.${column}`);
  const orderOf = (column: number): number => {
    const index = columns.indexOf(column);
    return index < 0 ? column : query.columns.length + index;
  };
  return {
    groups: { ...groups, columns: [...groups.columns, ...places] },
    residual: {
      columns: [...residual.columns, ...ids.map((id) => ({ id, type: "numeric" as const }))],
      vectors: [...residual.vectors, ...ids.map((_, index) => groups.columns.length + index)],
      query: {
        ...query,
        columns: [...query.columns, ...ids.map((id) => ({ column_id: id }))],
        order: (query.order ?? []).map((item) => ({ ...item, column: orderOf(item.column) })),
      },
    },
  };
}

/**
 * Ranks the strings that occur in a column, by the rules of a language or by code point. The rank of null is NaN.
 * Yields after each short step.
 */
export function* placesOf(
  { codes, dictionary }: Extract<BatchColumn, { type: "hierarchy" }>,
  locale: string | undefined,
): Generator<undefined, NumericBatchColumn> {
  const isUsed = new Uint8Array(dictionary.length);
  yield* visitInSlices(codes.length, (row) => {
    const code = codes[row] ?? -1;
    if (code >= 0) isUsed[code] = 1;
  });
  const used: number[] = [];
  const texts: string[] = [];
  yield* visitInSlices(dictionary.length, (code) => {
    if (isUsed[code] === 0) return;
    used.push(code);
    texts.push(dictionary[code] ?? "");
  });
  const compare = locale === undefined ? () => 0 : new Intl.Collator(locale).compare;
  const order = yield* sortInSlices(texts.length, (one, other) => {
    const [left = "", right = ""] = [texts[one], texts[other]];
    return compare(left, right) || byCodePoint(left, right);
  });
  const placeOf = new Float64Array(dictionary.length);
  yield* visitInSlices(order.length, (place) => {
    placeOf[used[order[place] ?? 0] ?? 0] = place;
  });
  const values = new Float64Array(codes.length);
  yield* visitInSlices(codes.length, (row) => {
    const code = codes[row] ?? -1;
    values[row] = code < 0 ? Number.NaN : (placeOf[code] ?? 0);
  });
  return { type: "numeric", values };
}

function byCodePoint(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index++) {
    const [left, right] = [one.charCodeAt(index), other.charCodeAt(index)];
    if (left !== right) return inPlane(left) - inPlane(right);
  }
  return one.length - other.length;
}

/**
 * Maps a UTF-16 unit so that surrogates, which encode code points beyond the basic multilingual plane, sort after all
 * other units.
 */
function inPlane(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
