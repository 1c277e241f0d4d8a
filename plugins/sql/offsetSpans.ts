/**
 * A span of time in which a zone's clock has a constant offset. From `fromMs` on, the clock is `offsetMs` ahead of UTC.
 * If `fromMs` is absent, the span has no beginning.
 */
export interface OffsetSpan {
  readonly fromMs?: number;
  readonly offsetMs: number;
  /**
   * Milliseconds by which the stored values of a column without zone are ahead of their instants. `fromMs` is then a
   * stored value.
   * @default 0
   */
  readonly ownMs?: number;
  /**
   * The instant of the last change of `offsetMs`.
   * @default fromMs
   */
  readonly changeMs?: number | undefined;
}

/** Maximum number of spans in a statement. */
export const mostSpans = 200;
/** Maximum number of cached combinations of a zone and a range. */
const mostKept = 500;
const hourMs = 3_600_000;
const endOfTimeMs = 8.64e15;

const kept = new Map<string, readonly OffsetSpan[] | "many">();

/**
 * Lists the offsets of a zone's clock between two instants, both included, in ascending order. Undefined if there are
 * more than `mostSpans` spans. Each cached result covers whole years.
 */
export function offsetSpans(
  zone: string,
  fromMs: number,
  toMs: number,
): readonly OffsetSpan[] | undefined {
  // An hour that a clock change shortens begins at the change, which may be before the range.
  const from = startOfYear(fromMs - hourMs);
  const to = Math.min(startOfYear(toMs) + 366 * 24 * hourMs, endOfTimeMs);
  const key = `${zone} ${from} ${to}`;
  const known = kept.get(key);
  const spans = known ?? computeSpans(zone, from, to) ?? "many";
  if (known === undefined) {
    if (kept.size >= mostKept) kept.clear();
    kept.set(key, spans);
  }
  return spans === "many" ? undefined : spans;
}

/** Milliseconds by which the clocks of two zones never differ. A clock differs from UTC by less than a day. */
export const mostDifferenceMs = 48 * hourMs;

/** The clock of a column without zone. */
export interface ColumnClock {
  /** The IANA zone of the clock on which the values are read. */
  readonly zone: string;
  /**
   * The IANA zone of the clock on which a server read the values, before it stored them as instants.
   * @default UTC, for values that are stored as readings
   */
  readonly serverZone?: string | undefined;
}

/**
 * Lists the offsets of the clocks of a column and of a query's zone between two stored values, both included, in
 * ascending order. A reading that a clock change skips or repeats has the offset from before the change: a skipped
 * reading is read as a later one, and of a repeated reading the first instant counts. Undefined if there are more than
 * `mostSpans` spans.
 */
export function wallSpans(
  { zone: own, serverZone = "UTC" }: ColumnClock,
  zone: string,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): readonly OffsetSpan[] | undefined {
  const range = [fromMs - mostDifferenceMs, toMs + mostDifferenceMs] as const;
  const owns = offsetSpans(own, ...range);
  const theirs = offsetSpans(zone, ...range);
  const servers = offsetSpans(serverZone, ...range);
  if (!owns || !theirs || !servers) return undefined;
  const readings = readingSpans(owns, theirs);
  const spans = servers.flatMap(({ fromMs: first = -Infinity, offsetMs: serverMs }, index) => {
    const last = servers[index + 1]?.fromMs ?? Infinity;
    return readings.flatMap(({ fromMs: start = -Infinity, ownMs = 0, ...span }, place) => {
      const from = Math.max(first, start - serverMs);
      const before = Math.min(last, (readings[place + 1]?.fromMs ?? Infinity) - serverMs);
      if (from >= before) return [];
      return [{ ...span, ...(from > -Infinity && { fromMs: from }), ownMs: ownMs - serverMs }];
    });
  });
  return spans.length > mostSpans ? undefined : spans;
}

/** Lists the offsets of two clocks by the readings of the first one. */
function readingSpans(
  owns: readonly OffsetSpan[],
  theirs: readonly OffsetSpan[],
): readonly OffsetSpan[] {
  return owns.flatMap(({ offsetMs: ownMs }, index) => {
    const [first, last] = [changeOf(owns, index), changeOf(owns, index + 1)];
    return theirs.flatMap(({ fromMs: changeMs, offsetMs }, place): OffsetSpan[] => {
      const start = Math.max(first, (changeMs ?? -Infinity) + ownMs);
      const end = Math.min(last, (theirs[place + 1]?.fromMs ?? Infinity) + ownMs);
      if (start >= end) return [];
      return [{ ...(start > -Infinity && { fromMs: start }), offsetMs, ownMs, changeMs }];
    });
  });
}

/** Returns the reading of a clock from which the offset of a span applies. */
function changeOf(spans: readonly OffsetSpan[], index: number): number {
  const [before, span] = [spans[index - 1], spans[index]];
  if (!before) return -Infinity;
  if (!span) return Infinity;
  return (span.fromMs ?? 0) + Math.max(before.offsetMs, span.offsetMs);
}

function computeSpans(
  zone: string,
  fromMs: number,
  toMs: number,
): readonly OffsetSpan[] | undefined {
  let at = Temporal.Instant.fromEpochMilliseconds(fromMs).toZonedDateTimeISO(zone);
  const spans: OffsetSpan[] = [{ offsetMs: at.offsetNanoseconds / 1e6 }];
  for (;;) {
    const next = at.getTimeZoneTransition("next");
    if (!next || next.epochMilliseconds > toMs) return spans;
    if (spans.length === mostSpans) return undefined;
    spans.push({ fromMs: next.epochMilliseconds, offsetMs: next.offsetNanoseconds / 1e6 });
    at = next;
  }
}

function startOfYear(atMs: number): number {
  const within = new Date(Math.max(-endOfTimeMs, Math.min(endOfTimeMs, atMs)));
  const start = new Date(0).setUTCFullYear(within.getUTCFullYear(), 0, 1);
  return Number.isNaN(start) ? -endOfTimeMs : start;
}
