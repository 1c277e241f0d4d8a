import type { Discretization } from "./values.ts";

/**
 * The bins that a discretization asks for: of a width; so many of a range; or at most so many of a width of 1, 2 or 5 times a power
 * of ten over the values from `least` to `most`, the narrowest that are few enough; without values as if there were 0.
 */
export function linearBin(
  { bins = 1, size, over }: Discretization,
  least: number | null,
  most: number | null,
): { readonly width: number; readonly origin: number } {
  if (size !== undefined) return { width: size, origin: over?.[0] ?? 0 };
  if (over) return { width: (over[1] - over[0]) / bins, origin: over[0] };
  const [low, high] = [least ?? 0, most ?? 0];
  const span = high - low || Math.abs(high) || 1;
  const widths: number[] = [];
  for (let power = -12; power < 20; power++)
    for (const step of [1, 2, 5]) widths.push(Number(`${step}e${power}`));
  const start = widths.findIndex(
    (width) => width * 10 > span / bins && String(width).includes("1"),
  );
  const fitting = widths.slice(start);
  const width = fitting.find((each) => Math.floor(high / each) - Math.floor(low / each) < bins);
  if (width !== undefined) return { width, origin: 0 };
  const own = fitting.find((each) => Math.floor((high - low) / each) < bins);
  if (own === undefined) throw new Error("no bins fit");
  return { width: own, origin: low };
}
