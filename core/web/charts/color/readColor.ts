import { color, rgb } from "d3-color";

/** Maximum length of a colour string; no valid colour is longer. */
const mostCharacters = 64;

/**
 * Returns a colour of a theme or of CSS as `#rrggbb`: hex, names, `rgb()` and `hsl()`. Translucent colours are blended
 * with `ground`. Undefined for anything else.
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
