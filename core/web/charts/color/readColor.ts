import { color, rgb } from "d3-color";

/** Longer than any colour that people write. */
const mostCharacters = 64;

/**
 * Returns a colour of a theme or of css as `#rrggbb`, laid over a ground where it is translucent; undefined for
 * anything that is no colour: hex, names, `rgb()` and `hsl()`.
 */
export function readColor(value: unknown, ground: string): string | undefined {
  if (typeof value !== "string" || value.length > mostCharacters) return undefined;
  const read = color(value.trim())?.rgb();
  if (!read || ![read.r, read.g, read.b].every(Number.isFinite)) return undefined;
  if (!(read.opacity > 0)) return undefined;
  const below = rgb(ground);
  const over = (one: number, other: number) => one * read.opacity + other * (1 - read.opacity);
  const [red, green, blue] = [over(read.r, below.r), over(read.g, below.g), over(read.b, below.b)];
  return rgb(red, green, blue).formatHex();
}
