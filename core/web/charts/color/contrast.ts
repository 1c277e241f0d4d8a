/** A colour as its shares of linear red, green and blue, 0 to 1. */
export type LinearColor = readonly [red: number, green: number, blue: number];

/** Reads `#rrggbb` or `#rgb`; undefined for another text, since colours of dashboards are free text. */
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

/** Returns the contrast of two colours, 1 to 21, as WCAG 2 defines it; 1 for a text that is no colour. */
export function contrast(one: string, other: string): number {
  const [first, second] = [parseColor(one), parseColor(other)];
  if (!first || !second) return 1;
  const [high, low] = [luminance(first), luminance(second)].toSorted((a, b) => b - a);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

/** Returns the one of two text colours that reads better on a background. */
export function readableOn(background: string, one: string, other: string): string {
  return contrast(background, one) >= contrast(background, other) ? one : other;
}

/** Returns a colour of a dashboard or of data; undefined where it is no `#rgb` or `#rrggbb`. */
export function safeColor(color: string | undefined): string | undefined {
  return color !== undefined && parseColor(color) ? color : undefined;
}
