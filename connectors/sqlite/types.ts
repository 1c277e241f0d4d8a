import type { DataType } from "../../plugins/protocol/index.ts";
import type { SqlColumn } from "../../plugins/sql/index.ts";

/** Possible meanings of a number in a datetime column. If the meaning is `none`, numbers are read as null. */
export const numberMeanings = ["none", "seconds", "milliseconds", "julian"] as const;
export type NumberMeaning = (typeof numberMeanings)[number];

/** Counts of a column's sampled values by kind. */
export interface Sample {
  readonly numbers: number;
  readonly texts: number;
  readonly blobs: number;
  /** Number of strings that are ISO dates or datetimes. `dates` is the number of those without a time. */
  readonly instants: number;
  readonly dates: number;
}

type Typed = Pick<SqlColumn, "nativeType" | "type" | "subtype">;

const textNames = /CHAR|CLOB|TEXT/;
const realNames = /REAL|FLOA|DOUB/;
const instantNames = /^(DATE|DATETIME|TIMESTAMP|SMALLDATETIME)\b/;
const numberNames = /^(NUMERIC|DECIMAL|DEC|NUMBER|MONEY|CURRENCY|BOOL|BOOLEAN|BIT|YEAR|FIXED)\b/;

/** Returns the affinity of a declared type, following the rules in SQLite's documentation (datatype3.html, 3.1). */
function affinityOf(declared: string): "integer" | "text" | "none" | "real" | "numeric" {
  const name = declared.toUpperCase();
  if (name.includes("INT")) return "integer";
  if (textNames.test(name)) return "text";
  if (name.includes("BLOB") || name === "" || name === "ANY") return "none";
  if (realNames.test(name)) return "real";
  return "numeric";
}

/** Returns the affinity of a column described by `typeOf`. */
export function affinityOfColumn({ nativeType }: Pick<SqlColumn, "nativeType">) {
  // A view with a compound select has the types of its first select, but may return values of any kind.
  if (nativeType === undeclared || nativeType.endsWith(inView)) return "none";
  return affinityOf(nativeType.replace(/ of [a-z]+$/, ""));
}

/**
 * Returns the kind of a number type, as in `Dialect.numberKind`. Every integer of SQLite has up to 64 bits, whatever
 * its declared type is.
 */
export function numberKind({ nativeType, type }: Typed): "small" | "big" | undefined {
  const declared = nativeType.replace(inView, "").toUpperCase();
  if (declared === undeclared.toUpperCase()) return type === "numeric" ? "small" : undefined;
  const affinity = affinityOf(declared);
  if (affinity === "integer") return "big";
  return affinity === "numeric" && numberNames.test(declared) ? "small" : undefined;
}

/** Suffix of the native type of a column in a view or statement. */
const inView = " in a view";

/** Native type of a column without a declared type. */
const undeclared = "undeclared";

/**
 * Returns whether the type of a column can only be determined from a sample: the column has no declared type, or is a
 * datetime column that may contain numbers.
 */
export function needsSample(declared: string): boolean {
  return declared === "" || instantNames.test(declared.toUpperCase());
}

/**
 * Returns the logical type of a column. The declared type determines it; an undeclared column has the type that all
 * sampled values share. If the sample of a declared datetime contains only numbers, and `numbers` is `none`, the column
 * is numeric.
 */
export function typeOf(
  declared: string,
  numbers: NumberMeaning,
  sample: Sample | undefined,
  isView: boolean,
): Typed {
  const typed = tableType(declared, numbers, sample);
  return isView ? { ...typed, nativeType: typed.nativeType + inView } : typed;
}

function tableType(declared: string, numbers: NumberMeaning, sample: Sample | undefined): Typed {
  const name = declared.toUpperCase();
  if (name === "") return { nativeType: undeclared, ...sampledType(sample) };
  if (instantNames.test(name)) {
    const onlyNumbers = sample !== undefined && sample.numbers > 0 && sample.texts === 0;
    if (numbers === "none" && onlyNumbers) return { nativeType: declared, type: "numeric" };
    const subtype = /^DATE\b/.test(name) ? "date" : "datetime";
    const nativeType = numbers === "none" ? declared : `${declared} of ${numbers}`;
    return { nativeType, type: "datetime", subtype };
  }
  return { nativeType: declared, type: declaredType(name) };
}

function declaredType(name: string): DataType {
  switch (affinityOf(name)) {
    case "integer":
    case "real":
      return "numeric";
    case "numeric":
      return numberNames.test(name) ? "numeric" : "hierarchy";
    case "none":
    case "text":
      return "hierarchy";
  }
}

function sampledType(sample: Sample | undefined): Pick<SqlColumn, "type" | "subtype"> {
  const { numbers = 0, texts = 0, blobs = 0, instants = 0, dates = 0 } = sample ?? {};
  if (numbers > 0 && texts === 0 && blobs === 0) return { type: "numeric" };
  if (texts > 0 && instants === texts && numbers === 0 && blobs === 0)
    return { type: "datetime", subtype: dates === texts ? "date" : "datetime" };
  return { type: "hierarchy" };
}

/** Returns the meaning of numbers that `typeOf` recorded in a native type. */
export function numberMeaningOf(nativeType: string): NumberMeaning {
  return (
    numberMeanings.find((meaning) => nativeType.replace(inView, "").endsWith(` of ${meaning}`)) ??
    "none"
  );
}
