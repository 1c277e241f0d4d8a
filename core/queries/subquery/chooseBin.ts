import { limitsOf, type Bin } from "../../../plugins/protocol/index.ts";

/** Powers of ten that a width may be above the one that the span asks: as many as doubles have digits. */
const mostPowers = 18;

/**
 * Chooses at most `count` bins for numbers from `least` to `most` (null: there are none): of the widths 1, 2 and 5
 * times a power of ten the narrowest whose multiples are the limits. One bin around 0 goes from -L to L, where L is
 * 1, 2 or 5 times a power of ten.
 */
export function chooseBin(count: number, least: number | null, most: number | null): Bin {
  const low = least ?? 0;
  const high = most ?? 0;
  const span = high - low || Math.abs(high) || 1;
  const power = Math.floor(Math.log10(Math.min(span, Number.MAX_VALUE) / count));
  const widths = Array.from({ length: mostPowers }, (_, more) => power + more)
    .flatMap((each) => [1, 2, 5].map((step) => Number(`${step}e${each}`)))
    .filter((width) => width > 0 && Number.isFinite(width));
  const bins = widths.flatMap((width): readonly Bin[] =>
    count === 1 && low < 0 && high >= 0
      ? [{ width: 2 * width, origin: -width }]
      : [{ width, origin: 0 }],
  );
  const fitting = bins.find((bin) => {
    const { indexOf } = limitsOf(bin);
    return indexOf(high) - indexOf(low) < count;
  });
  return fitting ?? { width: Number.MAX_VALUE, origin: 0 };
}
