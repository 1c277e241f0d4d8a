import { interpolateLab } from "d3-interpolate";
import { rgb } from "d3-color";
import type { ChartTheme } from "./chartTheme.ts";

/**
 * Returns a function that maps a share from 0 to 1 to a colour of the theme's single-hue ramp, as `#rrggbb`. NaN counts
 * as 0.
 */
export function rampColor({ ramp }: Pick<ChartTheme, "ramp">): (share: number) => string {
  const [low, middle, high] = ramp;
  const [lower, upper] = [interpolateLab(low, middle), interpolateLab(middle, high)];
  return (share) => {
    const at = 2 * Math.max(0, Math.min(1, share || 0));
    return rgb(at < 1 ? lower(at) : upper(at - 1)).formatHex();
  };
}
