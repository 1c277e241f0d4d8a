import { mostDifferenceMs, wallSpans, type ColumnClock, type OffsetSpan } from "./offsetSpans.ts";

/**
 * The clock of a time zone, for columns that contain its readings without a zone. A reading that a clock change skips
 * or repeats has the offset from before the change, as with `disambiguation: "compatible"` of Temporal.
 */
export interface WallClock {
  /** Returns the instant at which the clock shows a reading. */
  instantOf(readingMs: number): number;
  /** Returns all readings whose instant is the given one: usually one, none or two at a clock change. */
  readingsOf(instantMs: number): readonly number[];
  /** Lists the offsets that matter for comparisons with an instant. Farther readings compare alike with any offset. */
  spansAround(instantMs: number): readonly OffsetSpan[];
}

const clocks = new Map<string, WallClock>();

/** Creates the clock of a column. Each value takes a search over the offsets of its year. */
export function createWallClock(column: ColumnClock): WallClock {
  const key = `${column.zone} ${column.serverZone ?? ""}`;
  const kept = clocks.get(key);
  if (kept) return kept;
  const byYear = new Map<number, readonly OffsetSpan[]>();
  const spansOf = (readingMs: number): readonly OffsetSpan[] => {
    const year = new Date(readingMs).getUTCFullYear();
    let spans = byYear.get(year);
    if (!spans) {
      const range = { fromMs: startOfYear(year), toMs: startOfYear(year + 1) };
      spans = wallSpans(column, "UTC", range) ?? [];
      byYear.set(year, spans);
    }
    return spans;
  };
  const instantOf = (readingMs: number): number => {
    let ownMs = 0;
    for (const span of spansOf(readingMs)) {
      if ((span.fromMs ?? -Infinity) > readingMs) break;
      ownMs = span.ownMs ?? 0;
    }
    return readingMs - ownMs;
  };
  const spansAround = (instantMs: number): readonly OffsetSpan[] => {
    const all = spansOf(instantMs);
    const near = all.filter(
      ({ fromMs = -Infinity }, index) =>
        fromMs < instantMs + mostDifferenceMs &&
        (all[index + 1]?.fromMs ?? Infinity) > instantMs - mostDifferenceMs,
    );
    return near.map(({ fromMs, ...span }, index) =>
      index === 0 || fromMs === undefined ? span : { ...span, fromMs },
    );
  };
  const clock: WallClock = {
    instantOf,
    readingsOf(instantMs) {
      const readings = spansAround(instantMs).map(({ ownMs = 0 }) => instantMs + ownMs);
      return [...new Set(readings)].filter((each) => instantOf(each) === instantMs);
    },
    spansAround,
  };
  clocks.set(key, clock);
  return clock;
}

function startOfYear(year: number): number {
  return new Date(0).setUTCFullYear(year, 0, 1);
}
