/** A colour as linear red, green and blue components from 0 to 1. */
export type LinearColor = readonly [red: number, green: number, blue: number];

/** Parses `#rrggbb` or `#rgb`. Undefined for any other string, because dashboards store colours as free text. */
export function parseColor(color: string): LinearColor | undefined {
  const digits = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(color)?.[1];
  if (digits === undefined) return undefined;
  const full = digits.length === 3 ? digits.replaceAll(/./g, "$&$&") : digits;
  const channel = (from: number) => {
    const share = Number.parseInt(full.slice(from, from + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return [channel(0), channel(2), channel(4)];
}

function luminance([red, green, blue]: LinearColor): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the WCAG 2 contrast of two colours, from 1 to 21; 1 if either string is not a colour. */
export function contrast(one: string, other: string): number {
  const [first, second] = [parseColor(one), parseColor(other)];
  if (!first || !second) return 1;
  const [high, low] = [luminance(first), luminance(second)].toSorted((a, b) => b - a);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

/** Returns whichever of two text colours has the higher contrast on a background. */
export function readableOn(background: string, one: string, other: string): string {
  return contrast(background, one) >= contrast(background, other) ? one : other;
}

/** Returns a colour from a dashboard or from data; undefined unless it is `#rgb` or `#rrggbb`. */
export function safeColor(color: string | undefined): string | undefined {
  return color !== undefined && parseColor(color) ? color : undefined;
}
