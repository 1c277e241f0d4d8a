import type { ChartTheme } from "./chartTheme.ts";
import { mixColors } from "./mixColors.ts";

/**
 * Returns a function that maps a share from 0 to 1 to a colour of the theme's single-hue ramp, as `#rrggbb`. NaN counts
 * as 0.
 */
export function rampColor({ ramp }: Pick<ChartTheme, "ramp">): (share: number) => string {
  const [low, middle, high] = ramp;
  return (share) => {
    const at = 2 * Math.max(0, Math.min(1, share || 0));
    return at < 1 ? mixColors(low, middle, at) : mixColors(middle, high, at - 1);
  };
}
