import { safeColor } from "./contrast.ts";
import type { ChartTheme } from "./chartTheme.ts";

/** The series colours of one dashboard. A value has the same colour in all items. */
export interface Colors {
  /** Returns the colour of a value in a column. `own` is the colour stored for the value, if any. */
  of(columnId: string, value: string, own?: string): string;
}

/** Creates the colours of a dashboard. Values get their colours in the order in which the colours are requested. */
export function createColors({ series }: Pick<ChartTheme, "series">): Colors {
  const places = new Map<string, Map<string, number>>();
  return {
    of(columnId, value, own) {
      const stored = safeColor(own);
      if (stored !== undefined) return stored;
      const known = places.get(columnId) ?? new Map<string, number>();
      places.set(columnId, known);
      const place = known.get(value) ?? known.size;
      known.set(value, place);
      return series[place % series.length] ?? "";
    },
  };
}
