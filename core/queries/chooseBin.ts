import type { Bin } from "../../plugins/protocol/index.ts";

const steps = [1, 2, 5, 10, 20, 50, 100];

/**
 * Chooses at most `count` bins for numbers from `least` to `most` (null: there are none): of the widths 1, 2 and 5 times a power
 * of ten the narrowest whose multiples are the bounds of the bins. Where no such bins are few enough, they start at `least`.
 */
export function chooseBin(count: number, least: number | null, most: number | null): Bin {
  const low = least ?? 0;
  const high = most ?? 0;
  const span = high - low || Math.abs(high) || 1;
  const power = Math.floor(Math.log10(Math.min(span, Number.MAX_VALUE) / count));
  const widths = steps
    .map((step) => Number(`${step}e${power}`))
    .filter((width) => width > 0 && Number.isFinite(width));
  for (const width of widths)
    if (Math.floor(high / width) - Math.floor(low / width) < count) return { width, origin: 0 };
  const width = widths.find((each) => Math.floor((high - low) / each) < count);
  return width === undefined ? { width: Number.MAX_VALUE, origin: 0 } : { width, origin: low };
}
