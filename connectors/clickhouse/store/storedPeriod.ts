import { isOfDays, type Level, type LevelOfDays } from "../../../plugins/protocol/index.ts";
import { sql, trusted, type Fragment } from "../../../plugins/sql/index.ts";
import { truncated } from "../calendar.ts";
import { hasSeconds, isStored } from "./storedColumn.ts";

/**
 * The first instant of ECMAScript, on a Tuesday in April. A period that contains this instant is treated as if it
 * started at this instant.
 */
const firstInstant = trusted("-8640000000000000");
/**
 * One millisecond before the first instant. Used for local times in a time zone, so that no zone shows a later instant.
 */
const beforeFirst = trusted("-8640000000000001");
/**
 * Tests whether an instant is between the first Monday of 1970 and the end of 2099. For these instants, the server's
 * own functions are correct and much faster.
 */
const usual = trusted("between 345600000 and 4102444799999");
const dayMs = trusted("86400000");
const starts: Readonly<Record<Exclude<LevelOfDays, "day">, Fragment>> = {
  year: trusted("toStartOfYear"),
  quarter: trusted("toStartOfQuarter"),
  month: trusted("toStartOfMonth"),
  week: trusted("toMonday"),
};
const seconds: Readonly<Partial<Record<Level, number>>> = { day: 86_400, hour: 3600, minute: 60 };

const startOf = (level: Level): Fragment | undefined =>
  isOfDays(level) && level !== "day" ? starts[level] : undefined;

/** Truncates an instant to a period in UTC, with the server's own functions where they are correct. */
export function storedPeriod(instant: Fragment, level: Level): Fragment {
  if (!isStored(instant)) return inMilliseconds(instant, level, beforeFirst);
  const { quoted } = instant;
  // The milliseconds as they are stored.
  const ticks = sql`reinterpretAsInt64(${quoted})`;
  return sql`if(${hasSeconds(quoted)}, ${inSeconds(quoted, level) ?? instant}, ${inMilliseconds(ticks, level, firstInstant)})`;
}

/** Truncates whole seconds from 1970 to 2106; undefined if the level leaves them unchanged. */
function inSeconds(quoted: Fragment, level: Level): Fragment | undefined {
  const start = startOf(level);
  const length = seconds[level];
  if (length !== undefined)
    return sql`toInt64(intDiv(toUnixTimestamp(${quoted}), ${trusted(String(length))})) * ${trusted(String(length * 1000))}`;
  if (!start) return undefined;
  const period = sql`toInt64(${start}(${quoted})) * ${dayMs}`;
  // The first week starts on a Monday in 1969, before the range of Date.
  return level === "week"
    ? sql`if(toUnixTimestamp(${quoted}) < 345600, -259200000, ${period})`
    : period;
}

/**
 * Truncates milliseconds to the start of their period. A period that begins before the first instant gets `first` as
 * its start.
 */
function inMilliseconds(instant: Fragment, level: Level, first: Fragment): Fragment {
  const period = truncated(instant, level);
  const start = startOf(level);
  if (!start) return period;
  const day = sql`toDate(intDiv(${instant}, ${dayMs}))`;
  // A lambda names the value, so that the expression of the value, which is long in a time zone, is written only once.
  const other = sql`arrayMap(p -> if(p < ${firstInstant}, ${first}, p), [${period}])[1]`;
  return sql`if(${instant} ${usual}, toInt64(${start}(${day})) * ${dayMs}, ${other})`;
}
