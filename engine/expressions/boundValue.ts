import type { Dictionary } from "../column/texts/dictionary.ts";
import type { RowIndex } from "../joins/rowIndex.ts";
import type { PeriodFloor } from "../time/periodFloor.ts";
import type { ExtendedTexts } from "./extendedTexts.ts";
import type { ComparisonOperator, DataType, Expression } from "../types.ts";

/**
 * One number or datetime per row, with NaN for null. Tables are indexed by stored code; index 0 is null. `call` is a
 * function whose arguments are all numbers, see `vectorFunction`. `rows` is an expression that is computed row by row,
 * see `RowEvaluator`.
 */
export type BoundValue =
  | { readonly kind: "column"; readonly column: number }
  | { readonly kind: "literal"; readonly value: number }
  | { readonly kind: "byCode"; readonly column: number; readonly values: Float64Array }
  /** values[of - base + 1]; values[0] if `of` is null, not whole or outside the table. */
  | {
      readonly kind: "byNumber";
      readonly of: BoundValue;
      readonly base: number;
      readonly values: Float64Array;
    }
  /** The row of a joined table that contains the number, plus 1; null if no row does. See `findRows`. */
  | { readonly kind: "rowOf"; readonly of: BoundValue; readonly index: RowIndex }
  | { readonly kind: "period"; readonly of: BoundValue; readonly floor: PeriodFloor }
  | {
      readonly kind: "bin";
      readonly of: BoundValue;
      readonly width: number;
      readonly origin: number;
    }
  | {
      readonly kind: "case";
      readonly branches: readonly { readonly when: BoundTest; readonly then: BoundValue }[];
      readonly otherwise: BoundValue;
    }
  | {
      readonly kind: "call";
      readonly function: string;
      readonly of: readonly BoundValue[];
      readonly literals?: readonly string[];
    }
  | BoundRows;

/** A test of a row. For a text column, the test is a table with one byte per stored code (0 is null). */
export type BoundTest =
  | { readonly kind: "and"; readonly of: readonly BoundTest[] }
  | { readonly kind: "or"; readonly of: readonly BoundTest[] }
  | { readonly kind: "not"; readonly of: BoundTest }
  | { readonly kind: "lookup"; readonly column: number; readonly passes: Uint8Array }
  /** passes[of - base + 1]; passes[0] if `of` is null, not whole or outside the table. */
  | {
      readonly kind: "lookupNumber";
      readonly of: BoundValue;
      readonly base: number;
      readonly passes: Uint8Array;
    }
  | {
      readonly kind: "compare";
      readonly left: BoundValue;
      readonly operator: ComparisonOperator;
      readonly value: number;
    }
  /** A NaN in `values` matches null. */
  | { readonly kind: "in"; readonly left: BoundValue; readonly values: ReadonlySet<number> }
  | { readonly kind: "isNull"; readonly left: BoundValue };

/** Computes one stored code per row; 0 is null. */
export type BoundCode =
  | { readonly kind: "code"; readonly code: number }
  /** The column's stored code, or the entry for it in `codes`. */
  | { readonly kind: "byCode"; readonly column: number; readonly codes?: Uint32Array }
  /** codes[of - base + 1]; codes[0] if `of` is null, not whole or outside the table. */
  | {
      readonly kind: "byNumber";
      readonly of: BoundValue;
      readonly base: number;
      readonly codes: Uint32Array;
    }
  | {
      readonly kind: "case";
      readonly branches: readonly { readonly when: BoundTest; readonly then: BoundCode }[];
      readonly otherwise: BoundCode;
    };

/**
 * A text expression whose dictionary is known before the first row is read: stored code `code` stands for `texts[code -
 * 1]`.
 */
export interface BoundText {
  readonly kind: "text";
  /**
   * The strings. Entries from index `textCount` on were added later, and no row uses them. Reading the strings of a
   * column may create all of them, see `Dictionary`.
   */
  readonly texts: readonly string[];
  readonly textCount: number;
  readonly code: BoundCode;
  /**
   * The column's dictionary, if the strings belong to a column. The dictionary can test, find and order them without
   * creating JavaScript strings. Only the main thread uses it.
   */
  readonly dictionary?: Dictionary | undefined;
  /** The strings, if they are those of a column and a few others. Only the main thread uses it. */
  readonly extended?: ExtendedTexts | undefined;
  /** The strings in the form that threads read instead of `texts`. */
  readonly packed?: PackedStrings | undefined;
}

/** Strings as consecutive UTF-8 in shared memory, so that a task can pass them to a thread without copying them. */
export interface PackedStrings {
  readonly bytes: Uint8Array;
  /** End offset of each string. */
  readonly ends: Uint32Array;
  readonly hasLoneSurrogates: boolean;
}

/** The strings of a bound text expression, for computations that run once per string. */
export type KnownTexts = Pick<BoundText, "texts" | "textCount" | "dictionary" | "extended">;

/** An expression that reads several text columns, or that converts numbers to strings. It is computed row by row. */
export interface BoundRows {
  readonly kind: "rows";
  readonly expression: Expression;
  readonly type: DataType;
  readonly inputs: readonly RowInput[];
}

/** A column that an expression reads row by row. */
export interface RowInput {
  readonly name: string;
  readonly join: string | undefined;
  readonly of: BoundValue | BoundText;
}
