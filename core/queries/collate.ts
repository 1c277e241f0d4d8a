import type { Batch, NumericVector, Vector } from "../../plugins/protocol/index.ts";
import type { Residual } from "./plan.ts";

/** Texts that are put in order as a language does. */
export interface Collation {
  /** A canonical BCP 47 tag. */
  readonly locale: string;
  /** Indexes of the columns of the query. */
  readonly columns: readonly number[];
}

/**
 * Has texts put in order by collation: adds the place of each in the order of the language as a column, and orders by that. Texts that the language does
 * not tell apart come by code point. The places are the last columns of the answer. O(n log n) for n distinct texts.
 */
export function collate(
  residual: Residual,
  groups: Batch,
  { locale, columns }: Collation,
): { readonly residual: Residual; readonly groups: Batch } {
  const { query } = residual;
  const places = columns.map((column) => {
    const vector = groups.columns[residual.vectors[column] ?? -1];
    if (vector?.type !== "hierarchy") throw new TypeError(`column ${column} holds no texts`);
    return placesOf(vector, locale);
  });
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

/** The place of each text among those that occur, in the order of a language or by code point; NaN of null. */
export function placesOf(
  { codes, dictionary }: Extract<Vector, { type: "hierarchy" }>,
  locale: string | undefined,
): NumericVector {
  const compare = locale === undefined ? () => 0 : new Intl.Collator(locale).compare;
  const used = [...new Set(codes)].flatMap((code) => {
    const text = dictionary[code];
    return text === undefined ? [] : [{ code, text }];
  });
  used.sort((one, other) => compare(one.text, other.text) || byCodePoint(one.text, other.text));
  const placeOf = new Float64Array(dictionary.length);
  used.forEach(({ code }, place) => {
    placeOf[code] = place;
  });
  return {
    type: "numeric",
    values: Float64Array.from(codes, (code) => (code < 0 ? Number.NaN : (placeOf[code] ?? 0))),
  };
}

function byCodePoint(one: string, other: string): number {
  const [left, right] = [one, other].map((text) => Array.from(text, (each) => each.codePointAt(0)));
  const length = Math.min(left?.length ?? 0, right?.length ?? 0);
  for (let index = 0; index < length; index++) {
    const difference = (left?.[index] ?? 0) - (right?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return (left?.length ?? 0) - (right?.length ?? 0);
}
