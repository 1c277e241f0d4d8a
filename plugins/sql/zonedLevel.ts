import { fixedLengthMs, isOfDays, type Level } from "../protocol/index.ts";
import type { Dialect } from "./dialect.ts";
import { cell, sql, type Fragment } from "./fragment.ts";
import type { OffsetSpan } from "./offsetSpans.ts";

/**
 * Converts a reading of the clock of a column without zone to the instant at which the clock showed it. `spans` are the
 * result of `wallSpans`.
 */
export function instantOfReading(
  reading: Fragment,
  spans: readonly OffsetSpan[],
  dialect: Dialect,
): Fragment {
  const parts = spans.filter(
    ({ ownMs }, index) => index === 0 || ownMs !== spans[index - 1]!.ownMs,
  );
  const leaf = ({ ownMs = 0 }: OffsetSpan) => shifted(reading, -ownMs, dialect);
  return search(reading, parts, leaf, dialect) ?? reading;
}

/** Writes a binary search for the span of a value. Undefined if `leaf` cannot write a span. */
function search(
  value: Fragment,
  parts: readonly OffsetSpan[],
  leaf: (span: OffsetSpan) => Fragment | undefined,
  dialect: Dialect,
): Fragment | undefined {
  if (parts.length === 1) return leaf(parts[0]!);
  const middle = parts.length >> 1;
  const low = search(value, parts.slice(0, middle), leaf, dialect);
  const high = search(value, parts.slice(middle), leaf, dialect);
  if (!low || !high) return undefined;
  const right = cell("datetime", parts[middle]!.fromMs ?? null);
  const test = dialect.compare({ left: value, operator: "<", right, type: "datetime" });
  return sql`case when ${test} then ${low} else ${high} end`;
}

function shifted(instant: Fragment, offsetMs: number, dialect: Dialect): Fragment {
  return offsetMs === 0 ? instant : dialect.shift(instant, offsetMs);
}

/**
 * Truncates an instant on a zone's clock, or the instant at which the clock of a column showed a reading. For levels of
 * a day or more, the result is the start of the period as the clock shows it (`PeriodClock`). For shorter levels, the
 * result is the instant at which the period starts; an hour that a clock change shortens starts at the change. The SQL
 * is a binary search over the spans, so each row takes few comparisons. Undefined if the dialect cannot truncate.
 */
export function zonedLevel(
  instant: Fragment,
  level: Level,
  spans: readonly OffsetSpan[],
  dialect: Dialect,
): Fragment | undefined {
  const isWall = isOfDays(level);
  const leaf = isWall ? wallLeaf : instantLeaf;
  const parts = isWall ? mergedDays(spans) : merged(spans, fixedLengthMs(level));
  const found = search(instant, parts, (span) => leaf(instant, level, span, dialect), dialect);
  return isWall && found ? dialect.truncate(found, level) : found;
}

/** Writes the instant as the zone's clock shows it, so that the same expression truncates it in every span. */
function wallLeaf(
  instant: Fragment,
  _: Level,
  { offsetMs, ownMs = 0 }: OffsetSpan,
  dialect: Dialect,
): Fragment {
  return shifted(instant, offsetMs - ownMs, dialect);
}

function instantLeaf(
  instant: Fragment,
  level: Level,
  span: OffsetSpan,
  dialect: Dialect,
): Fragment | undefined {
  const { offsetMs, ownMs = 0 } = span;
  const length = fixedLengthMs(level) ?? 1;
  // An offset of whole periods does not move the starts of periods.
  const rest = modulo(offsetMs - ownMs, length);
  const truncated = dialect.truncate(shifted(instant, rest, dialect), level);
  if (!truncated) return undefined;
  const start = shifted(truncated, -(rest + ownMs), dialect);
  const changeMs = changeOf(span);
  if (changeMs === undefined || isStart(changeMs, offsetMs, length)) return start;
  const change = cell("datetime", changeMs);
  const isCut = dialect.compare({ left: start, operator: "<", right: change, type: "datetime" });
  return sql`case when ${isCut} then ${change} else ${start} end`;
}

/** Returns the instant of the last change of a zone's offset; undefined if the span has no beginning. */
function changeOf(span: OffsetSpan): number | undefined {
  return span.ownMs === undefined ? span.fromMs : span.changeMs;
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
    const changeMs = changeOf(span);
    const isUncut =
      changeMs === undefined ||
      changeMs === (last && changeOf(last)) ||
      isStart(changeMs, span.offsetMs, length);
    const isSame =
      last !== undefined &&
      span.ownMs === last.ownMs &&
      modulo(span.offsetMs, length) === modulo(last.offsetMs, length) &&
      isUncut;
    if (!isSame) parts.push(span);
  }
  return parts;
}

/** Merges neighboring spans in which both clocks differ by the same time. */
function mergedDays(spans: readonly OffsetSpan[]): readonly OffsetSpan[] {
  const differenceOf = ({ offsetMs, ownMs = 0 }: OffsetSpan) => offsetMs - ownMs;
  return spans.filter(
    (span, index) => index === 0 || differenceOf(span) !== differenceOf(spans[index - 1]!),
  );
}
