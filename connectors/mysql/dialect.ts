import type { DataType } from "../../plugins/protocol/index.ts";
import {
  cell,
  createDialect,
  foldingPattern,
  integerRange,
  join,
  sql,
  storedIntegers,
  trusted,
  type Bound,
  type Comparison,
  type Fragment,
  type NativeResult,
  type NativeTest,
  type SqlColumn,
} from "../../plugins/sql/index.ts";
import { bindInstant, readInstant, truncateInstant } from "./instants.ts";
import { isReadingFunction } from "./readingFunctions.ts";
import { isSummedWide, numberKind, readType, type Form } from "./types.ts";

/** Integers below this bound are exact as doubles. */
const exactBelow = 2 ** 53;

/** The dialect of MySQL 8 and MariaDB. Strings are compared as UTF-8 bytes. Datetimes are whole milliseconds. */
export const dialect = createDialect({
  name: "MySQL",
  holdsNul: true,
  claims: { groupLimit: true },
  nativeTypes: { hierarchy: "varchar(100)" },
  statements: {
    database: "MySQL",
    isFunction: isReadingFunction,
    nameQuotes: "`",
    stringQuotes: '"',
    systemSchemas: {
      information_schema: ["tables", "columns", "schemata", "key_column_usage", "statistics"],
      mysql: [],
      performance_schema: [],
      sys: [],
    },
    refused: [
      [["lock", "in"], "a dataset cannot lock rows"],
      [["next", "value"], "a dataset cannot use sequences"],
      [["previous", "value"], "a dataset cannot use sequences"],
      [["procedure"], "a dataset must be one statement that only reads"],
    ],
  },
  quote: (identifier) => `\`${identifier.replaceAll("`", "``")}\``,
  read(column, quoted) {
    const form = formOf(column);
    if (form === undefined) return quoted;
    switch (form) {
      case "exact":
        return quoted;
      case "double":
      case "float":
        // Adding a double makes the database compare wide numbers as the nearest double, and -0 as 0.
        return sql`(${quoted} + 0e0)`;
      case "bits":
        return sql`(cast(${quoted} as unsigned) + 0e0)`;
      case "year":
        return sql`(${quoted} + 0)`;
      case "text":
        return sql`cast(convert(${quoted} using utf8mb4) as binary)`;
      case "plain":
        return sql`cast(cast(${quoted} as char) as binary)`;
      case "digits":
        // Adding 0 removes the zeros with which `zerofill` pads integers.
        return sql`cast(cast(${isInteger(column) ? sql`(${quoted} + 0)` : quoted} as char) as binary)`;
      case "bytes":
        return sql`(case when cast(convert(${quoted} using utf8mb4) as binary) = ${quoted} then cast(${quoted} as binary) end)`;
      case "date":
      case "instant":
        return readInstant(quoted);
    }
  },
  readWide: (column, quoted) =>
    isSummedWide(column.nativeType) ? quoted : dialect.read(column, quoted),
  numberKind,
  isUnzoned: ({ nativeType }) => /^datetime/i.test(nativeType),
  cellOf,
  native,
  within(column, fromMs, beforeMs) {
    const isDate = formOf(column) === "date";
    const tests = [
      fromMs === undefined ? undefined : instantTest(column, ">=", bindInstant(fromMs, isDate)),
      beforeMs === undefined
        ? undefined
        : instantTest(
            column,
            isDate ? "<=" : "<",
            bindInstant(isDate ? beforeMs - 1 : beforeMs, isDate),
          ),
    ].filter((test) => test !== undefined);
    return tests.length === 0 ? trusted("1 = 1") : join(tests, " and ");
  },
  matches(text, pattern, place) {
    const expression = cell("hierarchy", foldingPattern(pattern, place));
    return sql`(convert(${text} using utf8mb4) collate utf8mb4_bin regexp ${expression})`;
  },
  truncate: truncateInstant,
  numbers: { double },
  aggregates: {
    sum: (value) => double(sql`sum(${value})`),
    percentile: undefined,
  },
  // The database puts nulls last in descending order, so only ascending order needs a key for nulls.
  order: (expression, direction) =>
    direction === "asc" ? sql`${expression} is null, ${expression}` : sql`${expression} desc`,
});

function double(number: Fragment): Fragment {
  return sql`(${number} + 0e0)`;
}

function nameOf({ name }: SqlColumn): Fragment {
  return trusted(dialect.quote(name));
}

function formOf({ nativeType, type }: SqlColumn): Form | undefined {
  const read = readType(nativeType);
  return type === "hierarchy" && read?.type === "numeric" ? "digits" : read?.form;
}

function isInteger({ nativeType }: SqlColumn): boolean {
  return /^\w*int\b/i.test(nativeType);
}

function instantTest(
  column: SqlColumn,
  operator: Comparison,
  bound: Fragment | undefined,
): Fragment | undefined {
  return bound && sql`${nameOf(column)} ${trusted(operator)} ${bound}`;
}

/**
 * Returns a test that compares a column in its own type. Used for wide integers, which the database would otherwise
 * compare as doubles, and for equality of strings.
 */
function native({ column, operator, right }: NativeTest): NativeResult | undefined {
  if (formOf(column) === "digits") return digitsTest({ column, operator, right });
  if (operator === "in") {
    const values = right.kind === "list" ? right.values : [];
    const natives = values
      .map((value) => nativeText(cell(right.type, value), column))
      .filter((each) => each !== undefined);
    if (natives.length === 0 || natives.length < values.length) return undefined;
    return { test: sql`${nameOf(column)} in (${join(natives, ", ")})` };
  }
  if (isExactWhole(right, column))
    return { test: sql`${nameOf(column)} ${trusted(operator)} ${right}`, isExact: true };
  const text = operator === "=" ? nativeText(right, column) : undefined;
  return text && { test: sql`${nameOf(column)} = ${text}` };
}

/** Returns an equality test of an integer that is read as its digits. */
function digitsTest({
  column,
  operator,
  right,
}: Pick<NativeTest, "column" | "operator" | "right">): NativeResult | undefined {
  if ((operator !== "=" && operator !== "in") || !isInteger(column)) return undefined;
  const isUnsigned = /unsigned/i.test(column.nativeType);
  const found = storedIntegers(right, integerRange(64, isUnsigned));
  if (found.length === 0) return { test: trusted("1 = 0"), isExact: true };
  const type = trusted(isUnsigned ? "unsigned" : "signed");
  const values = found.map((digits) => sql`cast(${cell("hierarchy", digits)} as ${type})`);
  return { test: sql`${nameOf(column)} in (${join(values, ", ")})`, isExact: true };
}

/**
 * Returns whether a comparison in the column's own type has the same result as a comparison of the doubles as which its
 * wide numbers are read.
 */
function isExactWhole(right: Bound, column: SqlColumn): boolean {
  return (
    right.kind === "cell" &&
    /^bigint/i.test(column.nativeType) &&
    typeof right.value === "number" &&
    Math.abs(right.value) < exactBelow
  );
}

/**
 * Returns a string in a column's encoding and collation, so that the database can use an index. Strings with equal
 * bytes are equal in every collation. If the encoding lacks a character, the character is replaced, and the exact test
 * then rejects the row.
 */
function nativeText(right: Bound, column: SqlColumn): Fragment | undefined {
  const { collation } = column;
  if (collation === undefined || formOf(column) !== "text") return undefined;
  const [, encoding] = /^([a-z0-9]+)(?:_[a-z0-9_]+)?$/i.exec(collation) ?? [];
  if (encoding === undefined || encoding === "binary") return undefined;
  return sql`convert(${right} using ${trusted(encoding)}) collate ${trusted(collation)}`;
}

function cellOf(value: unknown, type: DataType): string | number | null {
  if (value === null || value === undefined) return null;
  if (type === "hierarchy") return Buffer.isBuffer(value) ? value.toString("utf8") : String(value);
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}
