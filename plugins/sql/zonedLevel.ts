import { fixedLengthMs, isOfDays, type Level } from "../protocol/index.ts";
import type { Dialect } from "./dialect.ts";
import { cell, sql, type Fragment } from "./fragment.ts";
import type { OffsetSpan } from "./offsetSpans.ts";

/**
 * Truncates an instant on a zone's clock. For levels of a day or more, the result is the start of the period as the
 * clock shows it (`PeriodClock`). For shorter levels, the result is the instant at which the period starts; an hour
 * that a clock change shortens starts at the change. The SQL is a binary search over the spans, so each row takes few
 * comparisons. Undefined if the dialect cannot truncate.
 */
export function zonedLevel(
  instant: Fragment,
  level: Level,
  spans: readonly OffsetSpan[],
  dialect: Dialect,
): Fragment | undefined {
  const isWall = isOfDays(level);
  const leaf = isWall ? wallLeaf : instantLeaf;
  const parts = merged(spans, fixedLengthMs(level));
  const search = (from: number, to: number): Fragment | undefined => {
    if (to - from === 1) return leaf(instant, level, parts[from]!, dialect);
    const middle = (from + to) >> 1;
    const low = search(from, middle);
    const high = search(middle, to);
    if (!low || !high) return undefined;
    const right = cell("datetime", parts[middle]!.fromMs ?? null);
    const test = dialect.compare({ left: instant, operator: "<", right, type: "datetime" });
    return sql`case when ${test} then ${low} else ${high} end`;
  };
  const found = search(0, parts.length);
  return isWall && found ? dialect.truncate(found, level) : found;
}

/** Writes the instant as the zone's clock shows it, so that the same expression truncates it in every span. */
function wallLeaf(
  instant: Fragment,
  _: Level,
  { offsetMs }: OffsetSpan,
  dialect: Dialect,
): Fragment {
  return offsetMs === 0 ? instant : dialect.shift(instant, offsetMs);
}

function instantLeaf(
  instant: Fragment,
  level: Level,
  { fromMs, offsetMs }: OffsetSpan,
  dialect: Dialect,
): Fragment | undefined {
  const length = fixedLengthMs(level) ?? 1;
  // An offset of whole periods does not move the starts of periods.
  const rest = modulo(offsetMs, length);
  const truncated = dialect.truncate(rest === 0 ? instant : dialect.shift(instant, rest), level);
  if (!truncated) return undefined;
  const start = rest === 0 ? truncated : dialect.shift(truncated, -rest);
  if (fromMs === undefined || isStart(fromMs, offsetMs, length)) return start;
  const change = cell("datetime", fromMs);
  const isCut = dialect.compare({ left: start, operator: "<", right: change, type: "datetime" });
  return sql`case when ${isCut} then ${change} else ${start} end`;
}

function isStart(fromMs: number, offsetMs: number, length: number): boolean {
  return modulo(fromMs + offsetMs, length) === 0;
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}

/**
 * Merges neighboring spans in which truncation returns the same results. For periods shorter than a day, these are
 * spans whose clocks show the same minutes.
 */
function merged(spans: readonly OffsetSpan[], length: number | undefined): readonly OffsetSpan[] {
  if (length === undefined) return spans;
  const parts: OffsetSpan[] = [];
  for (const span of spans) {
    const last = parts.at(-1);
    const isSame =
      last !== undefined &&
      modulo(span.offsetMs, length) === modulo(last.offsetMs, length) &&
      isStart(span.fromMs ?? 0, span.offsetMs, length);
    if (!isSame) parts.push(span);
  }
  return parts;
}
