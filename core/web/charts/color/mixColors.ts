import { lab, rgb } from "d3-color";

/** Mixes two colours in CIELAB. `share` is that of the other colour, from 0 to 1. Returns `#rrggbb`. */
export function mixColors(one: string, other: string, share: number): string {
  const [from, to] = [lab(one), lab(other)];
  const between = (begin: number, end: number) => begin + share * (end - begin);
  const mixed = lab(
    between(from.l, to.l),
    between(from.a, to.a),
    between(from.b, to.b),
    between(from.opacity, to.opacity),
  );
  return rgb(mixed).formatHex();
}
