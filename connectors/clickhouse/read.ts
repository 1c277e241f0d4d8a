import { type Fragment, sql, type SqlColumn, trusted } from "../../plugins/sql/index.ts";
import { readingOf, type Reading } from "./types.ts";

/** A decimal with at most this many digits is the quotient of two exact doubles, so it is rounded once. */
const exactDigits = 15;

/** Returns the expression that reads a column as its logical type. Datetimes are Int64 milliseconds since 1970. */
export function readColumn(
  { nativeType }: Pick<SqlColumn, "nativeType">,
  quoted: Fragment,
): Fragment {
  const reading = readingOf(nativeType) ?? { kind: "other" };
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
      // Adding 0 turns -0 into 0, so that both are one group.
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

/** An expression that can be summed exactly. */
export interface WideFragment extends Fragment {
  readonly isWide: true;
}

/** Maximum digits of a decimal whose sums fit into 76 digits for any number of rows. */
const mostWideDigits = 57;

/**
 * Returns the expression that reads a number for sums: in a type that is wide enough if there is one, otherwise like
 * `readColumn`.
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

/** Converts to the nearest double. Without the detour through a string, the value would be rounded twice. */
export function rounded(expression: Fragment): Fragment {
  return sql`toFloat64(toString(${expression}))`;
}

/** Replaces invalid bytes with U+FFFD. A dictionary is converted entry by entry. */
function validText(quoted: Fragment, { isDictionary }: Reading & { kind: "text" }): Fragment {
  // Strings stay as they are. If the column has become a FixedString, its padding is removed.
  const text = sql`toString(${quoted})`;
  return isDictionary
    ? sql`toValidUTF8(${text})`
    : sql`if(isValidUTF8(${text}), ${text}, toValidUTF8(${text}))`;
}

/**
 * Returns the milliseconds of a DateTime64, rounded toward 1970. Tests of this expression can use an index of the
 * column.
 */
export function milliseconds(quoted: Fragment): Fragment {
  return sql`toUnixTimestamp64Milli(${quoted})`;
}

/**
 * Returns the milliseconds of a DateTime64, rounded down, whatever its precision is now, because a table may change.
 */
function cutMilliseconds(quoted: Fragment): Fragment {
  const near = milliseconds(quoted);
  return sql`(${near} - (${quoted} < fromUnixTimestamp64Milli(${near}, 'UTC')))`;
}
