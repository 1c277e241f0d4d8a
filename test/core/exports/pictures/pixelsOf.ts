import { renderAsync } from "@resvg/resvg-js";

/** The pixels of a picture, with four bytes each: red, green, blue and opacity. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

/** Decodes a PNG with a rasterizer, which draws it as an image in its original size. */
export async function pixelsOf(png: Buffer): Promise<Pixels> {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const address = `data:image/png;base64,${png.toString("base64")}`;
  const image = await renderAsync(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" ` +
      `height="${height}"><image width="${width}" height="${height}" xlink:href="${address}"/></svg>`,
    { font: { loadSystemFonts: false } },
  );
  return { width, height, bytes: image.pixels };
}

/**
 * Counts the pixels in which a channel differs by more than `tolerance`. If the sizes differ, all pixels are counted.
 */
export function countDifferences(one: Pixels, other: Pixels, tolerance: number): number {
  if (one.width !== other.width || one.height !== other.height) return one.width * one.height;
  let count = 0;
  for (let at = 0; at < one.bytes.length; at += 4)
    for (let channel = 0; channel < 3; channel++)
      if (Math.abs(one.bytes[at + channel]! - other.bytes[at + channel]!) > tolerance) {
        count++;
        break;
      }
  return count;
}
