/** A time span in which a time zone has one offset, in milliseconds. `to` is exclusive. */
export interface ZoneOffset {
  readonly from: number;
  readonly to: number;
  readonly offset: number;
}

/** The latest time that ECMAScript can represent, in milliseconds. */
export const endMs = 8.64e15;
const reachMs = 400 * 86_400_000;

/** The span of recent times. Only in this span do tests query all periods between two instants. */
const ourTime = [Date.UTC(1968, 0, 1), Date.UTC(2026, 0, 1)] as const;

/**
 * Lists the offsets of a time zone: all offsets of recent times, and the offsets around every other instant, as far as
 * its periods extend.
 */
export function zoneOffsets(zone: string, instants: readonly number[]): readonly ZoneOffset[] {
  const found = new Map<number, ZoneOffset>();
  const [start, end] = ourTime;
  const far = instants
    .filter((instant) => instant - reachMs < start || instant + reachMs > end)
    .map(
      (instant) =>
        [Math.max(-endMs, instant - reachMs), Math.min(endMs, instant + reachMs)] as const,
    );
  for (const [first, last] of [ourTime, ...far])
    for (let at: number = first; at <= last;) {
      const known = found.get(at) ?? offsetAt(zone, at);
      found.set(known.from, known);
      if (known.to <= at) throw new Error(`the clock of ${zone} does not advance at ${at}`);
      at = known.to;
    }
  return [...found.values()].toSorted((one, other) => one.from - other.from);
}

function offsetAt(zone: string, instant: number): ZoneOffset {
  const at = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
  const isEnd = instant === endMs;
  const after = isEnd ? at : at.add({ nanoseconds: 1 });
  const previous = after.getTimeZoneTransition("previous")?.epochMilliseconds;
  const next = at.getTimeZoneTransition("next")?.epochMilliseconds;
  return {
    from: previous ?? -endMs,
    to: next ?? endMs + 1,
    offset: at.offsetNanoseconds / 1e6,
  };
}
