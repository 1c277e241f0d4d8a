import { safeColor } from "./contrast.ts";
import type { ChartTheme } from "./chartTheme.ts";

/** The colours of the series of one dashboard: the same value keeps its colour in all items. */
export interface Colors {
  /** Returns the colour of a value, by the column that it is in; `own` is its stored colour. */
  of(columnId: string, value: string, own?: string): string;
}

/** Makes the colours of a dashboard: in the order in which values are asked for. */
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
