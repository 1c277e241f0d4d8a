import { sql, type Fragment } from "../../../plugins/sql/index.ts";

/** A column of the store as its logical type. */
export interface StoredColumn extends Fragment {
  /** The column as it is stored. */
  readonly quoted: Fragment;
}

/** A number or a text. */
export function storedColumn(quoted: Fragment): StoredColumn {
  return { ...quoted, quoted };
}

/** A datetime, as milliseconds since 1970. */
export function storedInstant(quoted: Fragment): StoredColumn {
  return { ...sql`toUnixTimestamp64Milli(toDateTime64(${quoted}, 3, 'UTC'))`, quoted };
}

export function isStored(fragment: Fragment): fragment is StoredColumn {
  return "quoted" in fragment;
}

/*
 * Tests of a column's type. They are constants to ClickHouse, which drops the other branch of an `if` before it plans
 * (`IfConstantConditionPass`), so a statement is right and fast for the type that the column has by then.
 */

/** Whether a number is an Int32. */
export function isWhole(quoted: Fragment): Fragment {
  return sql`position(toTypeName(${quoted}), 'Int32') > 0`;
}

/** Whether sums of a number may pass the range of doubles. */
export function isHuge(quoted: Fragment): Fragment {
  return sql`startsWith(toTypeName(${quoted}), 'Simple')`;
}

/** Whether a datetime is whole seconds from 1970 to 2106. */
export function hasSeconds(quoted: Fragment): Fragment {
  return sql`position(toTypeName(${quoted}), 'DateTime(') > 0`;
}
