import { type Fragment, sql, type SqlColumn, trusted } from "../../plugins/sql/index.ts";
import { numberKind, readingOf, type Reading } from "./types.ts";

/** Maximum digits of a decimal that can be computed as the quotient of two exact doubles, which rounds only once. */
const exactDigits = 15;

/** Returns the expression that reads a column as its logical type. Datetimes are Int64 milliseconds since 1970. */
export function readColumn(
  { nativeType, type }: Pick<SqlColumn, "nativeType"> & Partial<Pick<SqlColumn, "type">>,
  quoted: Fragment,
): Fragment {
  const reading = readingOf(nativeType) ?? { kind: "other" };
  if (type === "hierarchy" && numberKind({ nativeType })) return sql`toString(${quoted})`;
  switch (reading.kind) {
    case "small":
      return quoted;
    case "whole":
      return sql`toFloat64(${quoted})`;
    case "huge":
      return rounded(quoted);
    case "decimal":
      return reading.precision <= exactDigits ? sql`toFloat64(${quoted})` : rounded(quoted);
    case "float":
      // Adding 0 turns -0 into 0, so that both values are in one group.
      return sql`if(isFinite(${quoted}), toFloat64(${quoted}) + 0., NULL)`;
    case "date":
      return sql`((toInt64(toDaysSinceYearZero(${quoted})) - 719528) * 86400000)`;
    case "datetime":
      return sql`(toInt64(toUnixTimestamp(${quoted})) * 1000)`;
    case "ticks":
      return reading.precision <= 3 ? milliseconds(quoted) : cutMilliseconds(quoted);
    case "text":
      return validText(quoted, reading);
    case "padded":
      return sql`toValidUTF8(toString(${quoted}))`;
    case "nested":
      return sql`toValidUTF8(toJSONString(${quoted}))`;
    case "other":
    case "uuid":
      return sql`toString(${quoted})`;
  }
}

/** SQL for a number in a type so wide that its sums are exact. */
export interface WideFragment extends Fragment {
  readonly isWide: true;
}

/** Maximum digits of a decimal whose sums fit into 76 digits for any number of rows. */
const mostWideDigits = 57;

/**
 * Returns the expression that reads a number column for a sum. Uses a wide enough type if ClickHouse has one; otherwise
 * reads the number like `readColumn`.
 */
export function readWide(
  column: Pick<SqlColumn, "nativeType">,
  quoted: Fragment,
): Fragment | WideFragment {
  const reading = readingOf(column.nativeType);
  if (reading?.kind === "small" || reading?.kind === "whole") return wide(sql`toInt128(${quoted})`);
  if (reading?.kind === "huge" && column.nativeType.includes("Int128"))
    return wide(sql`toInt256(${quoted})`);
  if (reading?.kind === "decimal" && reading.precision <= mostWideDigits)
    return wide(sql`toDecimal256(${quoted}, ${trusted(String(reading.scale))})`);
  return readColumn(column, quoted);
}

function wide(fragment: Fragment): WideFragment {
  return { ...fragment, isWide: true };
}

/**
 * Converts a value to the nearest double. The conversion goes through a string, because a direct conversion would round
 * twice.
 */
export function rounded(expression: Fragment): Fragment {
  return sql`toFloat64(toString(${expression}))`;
}

/** Replaces invalid bytes with U+FFFD. If the column has a dictionary, each entry is converted only once. */
function validText(quoted: Fragment, { isDictionary }: Reading & { kind: "text" }): Fragment {
  // Strings remain unchanged, unless the type of the column has changed to FixedString; the padding is then removed.
  const text = sql`toString(${quoted})`;
  return isDictionary
    ? sql`toValidUTF8(${text})`
    : sql`if(isValidUTF8(${text}), ${text}, toValidUTF8(${text}))`;
}

/**
 * Returns the milliseconds of a DateTime64, rounded toward 1970. Tests of this expression can use the column's index.
 */
export function milliseconds(quoted: Fragment): Fragment {
  return sql`toUnixTimestamp64Milli(${quoted})`;
}

/**
 * Returns the milliseconds of a DateTime64, rounded down. Works for every precision, because the table may change after
 * it was described.
 */
function cutMilliseconds(quoted: Fragment): Fragment {
  const near = milliseconds(quoted);
  return sql`(${near} - (${quoted} < fromUnixTimestamp64Milli(${near}, 'UTC')))`;
}
