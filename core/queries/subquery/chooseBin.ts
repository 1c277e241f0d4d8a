import { limitsOf, type Bin } from "../../../plugins/protocol/index.ts";

/**
 * Number of powers of ten to try, starting at the width of the span divided by the number of bins. Doubles have about
 * as many digits.
 */
const mostPowers = 18;

/**
 * Chooses at most `count` bins for the numbers from `least` to `most` (null if there are none). Uses the narrowest
 * width of 1, 2 or 5 times a power of ten, with limits at multiples of the width. A single bin around 0 reaches from -L
 * to L, where L is 1, 2 or 5 times a power of ten.
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
