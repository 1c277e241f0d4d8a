import { plainBin, type PlainBin } from "../../../support/plainBin.ts";
import type { Discretization } from "./values.ts";

/**
 * Returns the bins of a discretization. It has a given width, a given number of bins over a range, or a maximum number
 * of bins over the values from `least` to `most`. For a maximum number, the width is the narrowest of 1, 2 or 5 times a
 * power of ten that is wide enough. If there are no values, 0 counts as the only value. The limits of a single bin
 * around 0 are plus and minus such a width.
 */
export function linearBin(
  { bins = 1, size, over }: Discretization,
  least: number | null,
  most: number | null,
): PlainBin {
  if (size !== undefined) return plainBin(size, over?.[0] ?? 0);
  if (over) return plainBin((over[1] - over[0]) / bins, over[0]);
  const [low, high] = [least ?? 0, most ?? 0];
  const span = high - low || Math.abs(high) || 1;
  const widths: number[] = [];
  for (let power = -12; power < 20; power++)
    for (const step of [1, 2, 5]) widths.push(Number(`${step}e${power}`));
  const start = widths.findIndex(
    (width) => width * 10 > span / bins && String(width).includes("1"),
  );
  const fitting = widths.slice(start);
  if (bins === 1 && low < 0 && high >= 0) {
    const end = fitting.find((each) => -each <= low && high < each);
    if (end === undefined) throw new Error("no bin fits");
    return plainBin(2 * end, -end);
  }
  const width = fitting.find((each) => Math.floor(high / each) - Math.floor(low / each) < bins);
  if (width === undefined) throw new Error("no bins fit");
  return plainBin(width, 0);
}
