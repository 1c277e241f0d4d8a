/** Parameters of the limits of bins: limit k is (base + k * step) / scale. */
export interface PlainBin {
  readonly width: number;
  readonly origin: number;
  readonly base: number;
  readonly step: number;
  readonly scale: number;
}

/**
 * Finds the smallest number of decimals at which width and origin are whole numbers. Binary fractions, and numbers with
 * more than 15 digits, are used unchanged.
 */
export function plainBin(width: number, origin: number): PlainBin {
  const isBinary = [width, origin].every((each) => Number.isInteger(each * 2 ** 20));
  for (let decimals = 0; !isBinary && decimals <= 22; decimals++) {
    const scale = Number(`1e${decimals}`);
    const [step, base] = [Math.round(width * scale), Math.round(origin * scale)];
    if (step / scale === width && base / scale === origin && Math.max(step, Math.abs(base)) < 1e15)
      return { width, origin, base, step, scale };
  }
  return { width, origin, base: origin, step: width, scale: 1 };
}

export function plainLimit({ base, step, scale }: PlainBin, index: number): number {
  return (base + index * step) / scale;
}

/** Returns the greatest limit that does not exceed a value, by trying the limits around a first guess. */
export function plainBinStart(value: number, width: number, origin: number): number {
  const bin = plainBin(width, origin);
  const guess = Math.floor((value - origin) / width);
  const tried = [guess - 1, guess, guess + 1].map((index) => plainLimit(bin, index));
  const below = tried.filter((limit) => limit <= value);
  return below.at(-1) ?? tried[0] ?? NaN;
}
