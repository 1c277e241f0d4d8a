import { EngineError } from "../errors.ts";

/**
 * UTC offsets of a time zone. `offsetsMs[i]` is in effect until `transitions[i]`, and the last offset is in effect
 * after all transitions.
 */
export interface Zone {
  readonly transitions: Float64Array;
  readonly offsetsMs: Float64Array;
}

/**
 * For later instants, the calendar of 400 years earlier is used, because Gregorian dates, weekdays and clock rules
 * repeat after 400 years.
 */
export const horizonMs = Date.UTC(2500, 0, 1);
export const cycleMs = 146_097 * 86_400_000;

const zones = new Map<string, Zone>();

/**
 * Reads the offsets of an IANA time zone from the runtime's database, once per name.
 * @throws {EngineError} QUERY_PLAN for an unknown zone
 */
export function readZone(name: string): Zone {
  const known = zones.get(name);
  if (known) return known;
  let moment: Temporal.ZonedDateTime;
  try {
    moment = Temporal.Instant.fromEpochMilliseconds(-8.64e15).toZonedDateTimeISO(name);
  } catch (cause) {
    throw new EngineError("QUERY_PLAN", [`the time zone ${JSON.stringify(name)} is not known`], {
      cause,
    });
  }
  const transitions: number[] = [];
  const offsetsMs = [moment.offsetNanoseconds / 1e6];
  for (;;) {
    const next = moment.getTimeZoneTransition("next");
    if (!next || next.epochMilliseconds >= horizonMs) break;
    moment = next;
    transitions.push(moment.epochMilliseconds);
    offsetsMs.push(moment.offsetNanoseconds / 1e6);
  }
  const zone = {
    transitions: Float64Array.from(transitions),
    offsetsMs: Float64Array.from(offsetsMs),
  };
  zones.set(name, zone);
  return zone;
}

/** Returns the index in `offsetsMs` of the offset in effect at an instant. */
export function offsetIndex(zone: Zone, instant: number): number {
  let low = 0;
  let high = zone.transitions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (zone.transitions[middle] <= instant) low = middle + 1;
    else high = middle;
  }
  return low;
}
