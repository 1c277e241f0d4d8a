import type { BatchColumn, DataType, NamedBatch } from "../../../plugins/protocol/index.ts";

/*
 * The narrowest ClickHouse types that can store the values of columns. A type is chosen while no other host writes to
 * the table. Later, the type only becomes wider, in one fixed order, so hosts that widen it concurrently agree on the
 * result. Every widening is a lossless cast of ClickHouse.
 */

/** Type of a stored column. */
export interface ColumnType {
  readonly name: keyof typeof types;
  readonly isNullable: boolean;
}

/** The types by name, each with its rank in the order of widening and its spelling in ClickHouse. */
const types = {
  whole: { rank: 0, plain: "Int32", nullable: "Nullable(Int32)" },
  double: { rank: 1, plain: "Float64", nullable: "Nullable(Float64)" },
  // Values are stored and read as the type in the second argument. The name of this type marks columns whose sums may
  // exceed the range of doubles.
  huge: { rank: 2, plain: "", nullable: "SimpleAggregateFunction(anyLast, Nullable(Float64))" },
  second: { rank: 0, plain: "DateTime('UTC')", nullable: "Nullable(DateTime('UTC'))" },
  // This type stores every Int64, but date functions only cover the years 1900 to 2299.
  millisecond: {
    rank: 1,
    plain: "DateTime64(3, 'UTC')",
    nullable: "Nullable(DateTime64(3, 'UTC'))",
  },
  word: { rank: 0, plain: "LowCardinality(String)", nullable: "LowCardinality(Nullable(String))" },
  text: { rank: 0, plain: "String", nullable: "Nullable(String)" },
} as const;

/**
 * The widest type for each logical type. Stores every value, except numbers whose sums may exceed the range of doubles.
 */
const widest = { numeric: "double", datetime: "millisecond", hierarchy: "word" } as const;
/**
 * Number of rows that are sampled to estimate the number of distinct strings. Also the maximum number of distinct
 * strings for which a dictionary is used.
 */
const tellingRows = 5000;
const manyTexts = 300_000;
/** Numbers of at least this size count as huge. A sum of 2^63 smaller numbers stays within the range of doubles. */
const hugeFrom = 2 ** 960;
const secondsEndMs = 2 ** 32 * 1000;

/** Returns the type for a column whose values are unknown. */
export function widestType(type: DataType): ColumnType {
  return { name: widest[type], isNullable: true };
}

/** Returns the spelling of a type in ClickHouse. */
export function nativeType({ name, isNullable }: ColumnType): string {
  return types[name][isNullable ? "nullable" : "plain"];
}

/** Parses a type written by `nativeType`. */
export function columnTypeOf(native: string): ColumnType {
  const isNullable = native.includes("Nullable(");
  if (native.startsWith("Simple")) return { name: "huge", isNullable: true };
  if (native.includes("Int32")) return { name: "whole", isNullable };
  if (native.includes("Float64")) return { name: "double", isNullable };
  if (native.includes("DateTime64")) return { name: "millisecond", isNullable };
  if (native.includes("DateTime")) return { name: "second", isNullable };
  return { name: native.startsWith("LowCardinality") ? "word" : "text", isNullable };
}

/** Returns the logical type of a stored type. */
export function dataTypeOf({ name }: ColumnType): DataType {
  if (name === "word" || name === "text") return "hierarchy";
  return name === "second" || name === "millisecond" ? "datetime" : "numeric";
}

/** Returns the types that are needed to store rows, keyed by column id. A batch without rows needs no types. */
export function typesOfRows({ columnIds, batch }: NamedBatch): ReadonlyMap<string, ColumnType> {
  if (batch.rowCount === 0) return new Map();
  return new Map(columnIds.map((id, index) => [id, typeOfValues(batch.columns[index]!)]));
}

const known = new WeakMap<BatchColumn, ColumnType>();

/** Returns the narrowest type for the values of a column. The result is cached; the first call takes O(rows). */
export function typeOfValues(column: BatchColumn): ColumnType {
  let type = known.get(column);
  if (!type) known.set(column, (type = scanned(column)));
  return type;
}

function scanned(column: BatchColumn): ColumnType {
  if (column.type === "hierarchy") {
    const isNullable = column.codes.includes(-1);
    const textCount = column.dictionarySize?.textCount ?? column.dictionary.length;
    return {
      name: isMany(textCount, column.codes.length) ? "text" : "word",
      isNullable,
    };
  }
  const { values, type } = column;
  let [isNullable, isNarrow, most] = [false, true, 0];
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if (value !== value) isNullable = true;
    else if (type === "datetime")
      isNarrow &&= value >= 0 && value < secondsEndMs && value % 1000 === 0;
    else {
      isNarrow &&= value === (value | 0);
      most = Math.max(most, Math.abs(value));
    }
  }
  if (type === "datetime") return { name: isNarrow ? "second" : "millisecond", isNullable };
  if (most >= hugeFrom) return { name: "huge", isNullable: true };
  return { name: isNarrow ? "whole" : "double", isNullable };
}

/**
 * Returns whether a column probably has many distinct strings, judging by its first rows. Among `n` rows with random
 * strings out of `m`, about `n² / 2m` rows repeat a string (the birthday problem).
 */
function isMany(textCount: number, rowCount: number): boolean {
  const repeatCount = rowCount - textCount;
  const likelyCount = rowCount ** 2 / (2 * manyTexts);
  return rowCount >= tellingRows && repeatCount < Math.min(likelyCount, rowCount / 2);
}

/**
 * Returns a type that stores the values of both types. Returns `stored` unchanged if that type can also store values of
 * the type `given`.
 */
export function widened(stored: ColumnType, given: ColumnType): ColumnType {
  const isHeld =
    types[stored.name].rank >= types[given.name].rank && (stored.isNullable || !given.isNullable);
  if (isHeld) return stored;
  const type = dataTypeOf(stored);
  const isHuge = stored.name === "huge" || given.name === "huge";
  if (isHuge) return { name: "huge", isNullable: true };
  return type === "hierarchy" ? { ...stored, isNullable: true } : widestType(type);
}
