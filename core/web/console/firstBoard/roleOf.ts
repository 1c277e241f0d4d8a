import { meaningOf } from "../questions/index.ts";
import type { BoardProfile, ColumnProfile } from "./boardProfile.ts";

/** How a board can use a column. */
export type Role =
  /** No values, a single value, or text that is different in nearly every row. */
  | { readonly kind: "unused" }
  | { readonly kind: "time" }
  /** Strings that group the rows. */
  | { readonly kind: "category" }
  /** Strings that name the rows of a short list, such as its countries: nearly each row has its own. */
  | { readonly kind: "label" }
  /** Numbers that group the rows, such as hours or years. They are never added up. */
  | { readonly kind: "ordinal"; readonly isYear: boolean }
  /** Values that name things. Only their number is meaningful. */
  | { readonly kind: "identifier" }
  | { readonly kind: "latitude" | "longitude" }
  | {
      readonly kind: "measure";
      readonly aggregation: "sum" | "average" | "median" | "min" | "max";
      /** Whether the average of the values is a share of the rows: all values are 0 or 1. */
      readonly isShare: boolean;
    };

/** Most different numbers that a chart can show without grouping them in ranges. */
const mostOrdinals = 60;
/** Most different whole numbers of a column without a telling name that count as names of groups. */
const mostCodes = 12;
/** Most rows of a list whose rows have names. */
const mostLabels = 300;
/** Rows per value from which values are groups rather than names of single rows. */
const rowsPerGroup = 1.5;
/** Length from which strings are texts rather than names. */
const longText = 60;

const unused: Role = { kind: "unused" };
const identifier: Role = { kind: "identifier" };

/**
 * Decides how a board uses a column, from its values first and its name second. Without a telling name, numbers are
 * averaged, because averages are meaningful for all measurements, and sums are not.
 */
export function roleOf(column: ColumnProfile, { rows }: Pick<BoardProfile, "rows">): Role {
  const { filled, distinct, type } = column;
  if (filled === 0 || distinct <= 1) return unused;
  if (type === "datetime") return { kind: "time" };
  return type === "numeric" ? roleOfNumbers(column) : roleOfStrings(column, rows);
}

function roleOfStrings({ filled, distinct, samples, title }: ColumnProfile, rows: number): Role {
  const lengths = samples.map((each) => String(each).length);
  const averageLength = lengths.reduce((sum, each) => sum + each, 0) / Math.max(1, lengths.length);
  if (averageLength > longText) return unused;
  if (meaningOf(title) === "identifier" && distinct > mostCodes) return identifier;
  if (filled / distinct >= rowsPerGroup) return { kind: "category" };
  return rows > mostLabels ? identifier : { kind: "label" };
}

function roleOfNumbers(column: ColumnProfile): Role {
  const { title, subtype, format, filled, distinct, aggregation } = column;
  const least = Number(column.least);
  const most = Number(column.most);
  const numbers = column.samples.filter((each) => typeof each === "number");
  const isWhole =
    Number.isInteger(least) && Number.isInteger(most) && numbers.every(Number.isInteger);
  const meaning = meaningOf(title);
  const measure = (by: "sum" | "average" | "median" | "min" | "max", isShare = false): Role => ({
    kind: "measure",
    aggregation: by,
    isShare,
  });
  if (aggregation === "average" || aggregation === "median") return measure(aggregation);
  if (aggregation === "min" || aggregation === "max") return measure(aggregation);
  if (aggregation === "count" || aggregation === "distinctcount") return identifier;
  if (meaning === "latitude" && least >= -90 && most <= 90) return { kind: "latitude" };
  if (meaning === "longitude" && least >= -180 && most <= 180) return { kind: "longitude" };
  if (subtype === "duration") return measure("average");
  if (subtype === "currency" || format?.includes("$"))
    return measure(meaning === "rate" ? "average" : "sum");
  if (format?.includes("%")) return measure("average");
  if (isWhole && least === 0 && most === 1) return measure("average", true);
  if (meaning === "rate") return measure("average");
  if (meaning === "identifier") return identifier;
  const isYear = isWhole && least >= 1_000 && most <= 2_200;
  if (meaning === "year" || (meaning === undefined && isYear && least >= 1_900 && most <= 2_100))
    return isYear && distinct <= mostOrdinals
      ? { kind: "ordinal", isYear: true }
      : isYear
        ? unused
        : measure("average");
  if (meaning === "amount") return measure("sum");
  if ((meaning === "ordinal" || meaning === "period") && isWhole)
    return distinct <= mostOrdinals ? { kind: "ordinal", isYear: false } : measure("average");
  if (isWhole && isSequence({ least, most, filled, distinct })) return identifier;
  if (isWhole && distinct <= mostCodes && filled >= distinct * 10)
    return { kind: "ordinal", isYear: false };
  return measure("average");
}

/** Returns whether numbers count the rows: each occurs once, and few numbers between them are missing. */
function isSequence({
  least,
  most,
  filled,
  distinct,
}: {
  readonly least: number;
  readonly most: number;
  readonly filled: number;
  readonly distinct: number;
}): boolean {
  return filled > 20 && distinct === filled && most - least + 1 <= filled * 1.1;
}
