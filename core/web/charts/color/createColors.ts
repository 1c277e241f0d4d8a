import { safeColor } from "./contrast.ts";
import type { ChartTheme } from "./chartTheme.ts";

/** The colours of values in one dashboard. A value has the same colour in all items. */
export interface Colors {
  /** Returns the colour of a value in a column. `own` is the colour stored for the value, if any. */
  of(columnId: string, value: string, own?: string): string;
  /** Returns whether the values of a column are known, so that the most common of them have different colours. */
  isListed(columnId: string): boolean;
}

/** Values by the id of their column, the most common values first. */
export type ValuesByColumn = ReadonlyMap<string, readonly string[]>;

/**
 * Creates the colours of values. A colour depends on the value and on the listed values of its column, but not on which
 * item is drawn first, nor on the filters of an item.
 */
export function createColors(
  { series }: Pick<ChartTheme, "series">,
  listed: ValuesByColumn = new Map(),
): Colors {
  const known = new Map([...listed].map(([id, values]) => [id, assignColors(series, values)]));
  return {
    of: (columnId, value, own) =>
      safeColor(own) ?? known.get(columnId)?.get(value) ?? series[placeOf(value, series)] ?? "",
    isListed: (columnId) => known.has(columnId),
  };
}

/**
 * Returns a colour for each value. The value decides its colour. If an earlier value has this colour, the next free
 * colour is taken, so that as many values as there are colours differ.
 */
export function assignColors(
  series: readonly string[],
  values: readonly string[],
): ReadonlyMap<string, string> {
  const colors = new Map<string, string>();
  const taken = new Set<number>();
  for (const value of values) {
    if (colors.has(value)) continue;
    if (taken.size === series.length) taken.clear();
    let place = placeOf(value, series);
    while (taken.has(place)) place = (place + 1) % series.length;
    taken.add(place);
    colors.set(value, series[place] ?? "");
  }
  return colors;
}

/** Returns the index of a value's own colour: its FNV-1a hash, whose high bits are mixed into the low ones. */
function placeOf(value: string, { length }: readonly string[]): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < value.length; at++)
    hash = Math.imul(hash ^ value.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash ^= hash >>> 13;
  return (hash >>> 0) % length;
}
