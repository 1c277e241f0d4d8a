import { lab, rgb } from "d3-color";

/** Returns the colour at a share of the way from one colour to another through CIELAB, as `#rrggbb`. */
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
