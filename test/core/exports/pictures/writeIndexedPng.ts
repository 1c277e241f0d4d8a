import { crc32, deflateSync } from "node:zlib";
import type { Pixels } from "./pixelsOf.ts";

/** Maximum number of colors of a palette. */
const mostColors = 256;

/**
 * Writes pixels as a PNG with a palette, which takes a quarter of the bytes of full colors. Except for the most
 * frequent colors, each channel is rounded to 16 levels. If there are more than 256 colors, the nearest palette color
 * is used.
 */
export function writeIndexedPng({ width, height, bytes }: Pixels): Buffer {
  const counts = new Map<number, number>();
  const colors = new Uint32Array(width * height);
  for (let at = 0; at < colors.length; at++) {
    const [red, green, blue] = bytes.subarray(at * 4, at * 4 + 3);
    const color = (red! << 16) | (green! << 8) | blue!;
    colors[at] = color;
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const frequent = [...counts].toSorted(([, one], [, other]) => other - one);
  const palette = frequent.slice(0, mostColors / 4).map(([color]) => color);
  const rounded = frequent
    .slice(mostColors / 4)
    .map(([color]) => (color & 0xf0_f0_f0) | 0x08_08_08);
  palette.push(...[...new Set(rounded)].slice(0, mostColors - palette.length));
  const places = new Map<number, number>();
  const rows = Buffer.alloc((width + 1) * height);
  for (let at = 0; at < colors.length; at++) {
    const color = colors[at]!;
    const place = places.get(color) ?? nearest(palette, color);
    places.set(color, place);
    rows[at + Math.floor(at / width) + 1] = place;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Each pixel takes eight bits: the index of its color in the palette.
  header.set([8, 3], 8);
  const plte = Buffer.from(
    palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]),
  );
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    chunk("PLTE", plte),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function nearest(palette: readonly number[], color: number): number {
  let [best, least] = [0, Infinity];
  for (const [place, each] of palette.entries()) {
    let distance = 0;
    for (const shift of [0, 8, 16])
      distance += (((each >> shift) & 255) - ((color >> shift) & 255)) ** 2;
    if (distance < least) [best, least] = [place, distance];
  }
  return best;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
