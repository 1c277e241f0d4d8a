import type { Capabilities } from "../protocol/index.ts";
import {
  withoutBins,
  withoutLevels,
  withoutMatches,
  withoutNumbers,
  withoutOrder,
  withoutTexts,
  withoutWeeks,
} from "./demotions.ts";
import type { Dialect } from "./dialect.ts";
import { cell, sql, type Bound, type Fragment } from "./fragment.ts";

/**
 * A test of a session with a known result. These tests are needed, because a server's settings may change the results
 * of functions that a dialect uses.
 */
export interface Probe {
  /**
   * SQL that is true if the session behaves as the dialect expects. Undefined if the dialect does not promise the
   * capability.
   */
  readonly test: Fragment | undefined;
  /** Path of the capability to withdraw if the probe fails. */
  readonly capability: string;
  /** Describes, for people, the fault of a session that fails the probe. */
  readonly reason: string;
  /** Returns the given capabilities, without the capabilities that depend on the tested behavior. */
  demote(capabilities: Capabilities): Capabilities;
}

const noon = Date.UTC(2024, 2, 31, 12, 30, 0, 250);
/** A Sunday, and the Monday of the same week. */
const sunday = Date.UTC(2024, 0, 7, 23, 59);
const monday = Date.UTC(2024, 0, 1);
const largest = Number.MAX_SAFE_INTEGER;
const hourMs = 3_600_000;

/**
 * Lists the probes of a dialect. They test zones, weeks, division, padding, empty strings, large integers, order and
 * case folding.
 */
export function probesOf(dialect: Dialect): readonly Probe[] {
  const { truncate, shift, bin, matches } = dialect;
  const value = (bound: Bound): Fragment => {
    const native = dialect.nativeTypes?.[bound.type];
    if (native === undefined) return sql`${bound}`;
    const column = { name: "probe", nativeType: native, type: bound.type };
    return dialect.read(column, sql`${bound}`);
  };
  const text = (written: string) => cell("hierarchy", written);
  const instant = (atMs: number) => cell("datetime", atMs);
  const not = (test: Fragment) => sql`(case when ${test} then 0 else 1 end = 1)`;
  const equal = (left: Fragment, right: Bound) => dialect.equal({ left, right, type: right.type });
  const isInstant = (expression: Fragment | undefined, atMs: number) =>
    expression && equal(expression, instant(atMs));
  const binned = bin(value(cell("numeric", 7)), 2);
  return [
    {
      capability: "grouping.levels",
      reason: "days do not start at midnight UTC; set the time zone of the session to UTC",
      test: isInstant(
        truncate(shift(value(instant(noon)), 12 * hourMs), "day"),
        Date.UTC(2024, 3, 1),
      ),
      demote: withoutLevels,
    },
    {
      capability: "grouping.levels.week",
      reason: "weeks do not start on Monday",
      test: isInstant(truncate(value(instant(sunday)), "week"), monday),
      demote: withoutWeeks,
    },
    {
      capability: "bins",
      reason: "dividing numbers does not return the results of IEEE doubles",
      test: binned && equal(binned, cell("numeric", 6)),
      demote: withoutBins,
    },
    {
      capability: "filters.operators.=.hierarchy",
      reason: "strings that differ only in trailing spaces, case or accents are equal",
      test: sql`(${not(equal(value(text("a ")), text("a")))} and ${not(equal(value(text("Á")), text("a")))})`,
      demote: withoutTexts,
    },
    {
      capability: "filters.operators.=.hierarchy",
      reason: "an empty string is read as null",
      test: equal(value(text("")), text("")),
      demote: withoutTexts,
    },
    {
      capability: "order",
      reason: "text is not ordered by code point",
      test: dialect.compare({
        left: value(text("B")),
        operator: "<",
        right: text("a"),
        type: "hierarchy",
      }),
      demote: withoutOrder,
    },
    {
      capability: "filters.operators.like",
      reason: "matching parts of text does not ignore case",
      test: matches(value(text("Zoë \u212aELVIN")), "ë kel", "anywhere"),
      demote: withoutMatches,
    },
    {
      capability: "filters.operators.=.numeric",
      reason: "whole numbers with 16 digits lose digits",
      test: sql`(${equal(value(cell("numeric", largest)), cell("numeric", largest))} and ${not(equal(value(cell("numeric", largest)), cell("numeric", largest - 1)))})`,
      demote: withoutNumbers,
    },
  ];
}
