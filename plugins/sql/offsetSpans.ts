/**
 * A span of time in which a zone's clock has a constant offset. From `fromMs` on, the clock is `offsetMs` ahead of UTC.
 * If `fromMs` is absent, the span has no beginning.
 */
export interface OffsetSpan {
  readonly fromMs?: number;
  readonly offsetMs: number;
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
