import { sql, type Fragment } from "../../../plugins/sql/index.ts";

/** A stored column, converted to its logical type. */
export interface StoredColumn extends Fragment {
  /** The column without a conversion. */
  readonly quoted: Fragment;
}

/** Returns a number or string column. */
export function storedColumn(quoted: Fragment): StoredColumn {
  return { ...quoted, quoted };
}

/** Returns a datetime column, in milliseconds since 1970. */
export function storedInstant(quoted: Fragment): StoredColumn {
  return { ...sql`toUnixTimestamp64Milli(toDateTime64(${quoted}, 3, 'UTC'))`, quoted };
}

export function isStored(fragment: Fragment): fragment is StoredColumn {
  return "quoted" in fragment;
}

/*
 * Tests of a column's type. While planning, ClickHouse evaluates them as constants and drops the unused branch of an
 * `if` (`IfConstantConditionPass`). A statement is therefore correct and fast for the type that the column has when the
 * statement runs.
 */

/** Tests whether a number column is stored as Int32. */
export function isWhole(quoted: Fragment): Fragment {
  return sql`position(toTypeName(${quoted}), 'Int32') > 0`;
}

/** Tests whether sums of a number column may exceed the range of doubles. */
export function isHuge(quoted: Fragment): Fragment {
  return sql`startsWith(toTypeName(${quoted}), 'Simple')`;
}

/** Tests whether a datetime column is stored as whole seconds from 1970 to 2106. */
export function hasSeconds(quoted: Fragment): Fragment {
  return sql`position(toTypeName(${quoted}), 'DateTime(') > 0`;
}
