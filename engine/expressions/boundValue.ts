import type { Dictionary } from "../column/texts/dictionary.ts";
import type { RowIndex } from "../joins/rowIndex.ts";
import type { PeriodFloor } from "../time/periodFloor.ts";
import type { ComparisonOperator, DataType, Expression } from "../types.ts";

/**
 * A number or datetime a row, NaN for null. Tables are indexed by stored code; index 0 is null.
 * `call` is a function of numbers alone, see `vectorFunction`. `rows` is computed row by row, see `RowEvaluator`.
 */
export type BoundValue =
  | { readonly kind: "column"; readonly column: number }
  | { readonly kind: "literal"; readonly value: number }
  | { readonly kind: "byCode"; readonly column: number; readonly values: Float64Array }
  /** values[of - base], null outside. */
  | {
      readonly kind: "byNumber";
      readonly of: BoundValue;
      readonly base: number;
      readonly values: Float64Array;
    }
  /** The row of a joined table that holds the number, null without one; see `findRows`. */
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

/** A test of a row. A test of a text is a byte for each stored code (0 is null). */
export type BoundTest =
  | { readonly kind: "and"; readonly of: readonly BoundTest[] }
  | { readonly kind: "or"; readonly of: readonly BoundTest[] }
  | { readonly kind: "not"; readonly of: BoundTest }
  | { readonly kind: "lookup"; readonly column: number; readonly passes: Uint8Array }
  | {
      readonly kind: "compare";
      readonly left: BoundValue;
      readonly operator: ComparisonOperator;
      readonly value: number;
    }
  /** A NaN among the values is null. */
  | { readonly kind: "in"; readonly left: BoundValue; readonly values: ReadonlySet<number> }
  | { readonly kind: "isNull"; readonly left: BoundValue };

/** A stored code a row, 0 for null. */
export type BoundCode =
  | { readonly kind: "code"; readonly code: number }
  /** The column's stored code, or `codes` of it. */
  | { readonly kind: "byCode"; readonly column: number; readonly codes?: Uint32Array }
  /** codes[of - base], 0 outside. */
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

/** A text whose dictionary is known before the first row: stored code `code` stands for `texts[code - 1]`. */
export interface BoundText {
  readonly kind: "text";
  /**
   * Entries from `textCount` on came later, and no row has them. Asking for those of a column may make them all, see
   * `Dictionary`.
   */
  readonly texts: readonly string[];
  readonly textCount: number;
  readonly code: BoundCode;
  /**
   * Where the texts are those of a column: what tests, finds and orders them without their strings. It stays on the
   * main thread.
   */
  readonly dictionary?: Dictionary | undefined;
  /** The strings for a thread, instead of `texts`. */
  readonly packed?: PackedStrings | undefined;
}

/** Strings as shared UTF-8, one after another: a task takes them to a thread without a copy. */
export interface PackedStrings {
  readonly bytes: Uint8Array;
  /** Where each string ends. */
  readonly ends: Uint32Array;
  readonly hasLoneSurrogates: boolean;
}

/** The texts of a bound text, for computations that run once for each text. */
export type KnownTexts = Pick<BoundText, "texts" | "textCount" | "dictionary">;

/** An expression over texts of several columns, or from numbers to texts: computed row by row over the inputs. */
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
