import { type Fragment, sql, type SqlColumn, trusted } from "../../plugins/sql/index.ts";
import { readingOf, type Reading } from "./types.ts";

/** Decimals of at most so many digits are one division of two exact doubles, so one rounding. */
const exactDigits = 15;

/** Reads a column as the values of its logical type. Milliseconds since 1970 are an Int64. */
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
      // Adding 0 makes -0 equal to 0 as a group.
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

/** An expression whose sums are exact. */
export interface WideFragment extends Fragment {
  readonly isWide: true;
}

/** Digits of a decimal whose sums over any number of rows fit into 76. */
const mostWideDigits = 57;

/** Reads a number for sums: as a type that is wide enough, or as `readColumn` does where there is none. */
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

/** The nearest double; a conversion without the text rounds twice. */
export function rounded(expression: Fragment): Fragment {
  return sql`toFloat64(toString(${expression}))`;
}

/** Text whose invalid bytes are U+FFFD; a dictionary is converted entry by entry. */
function validText(quoted: Fragment, { isDictionary }: Reading & { kind: "text" }): Fragment {
  // It leaves a text as it is; the padding of a column that is a FixedString by now is taken away.
  const text = sql`toString(${quoted})`;
  return isDictionary
    ? sql`toValidUTF8(${text})`
    : sql`if(isValidUTF8(${text}), ${text}, toValidUTF8(${text}))`;
}

/** The milliseconds of a DateTime64, rounded towards 1970; an index of the column can answer tests of it. */
export function milliseconds(quoted: Fragment): Fragment {
  return sql`toUnixTimestamp64Milli(${quoted})`;
}

/** The milliseconds of a DateTime64, rounded down. Whatever digits it has by now, since a table may change. */
function cutMilliseconds(quoted: Fragment): Fragment {
  const near = milliseconds(quoted);
  return sql`(${near} - (${quoted} < fromUnixTimestamp64Milli(${near}, 'UTC')))`;
}
