import { renderAsync } from "@resvg/resvg-js";
import type { FontFace } from "./openFonts.ts";

/** Pixels of a picture. */
const mostPixels = 40_000_000;

/**
 * Draws an SVG document as PNG, with the shipped font alone: the same pixels on every machine. Runs on a thread of
 * libuv, beside the main thread.
 * @throws {RangeError} for a picture of more than 40 million pixels
 */
export async function writePng(
  svg: string,
  {
    faces,
    width,
    height,
    scale,
  }: {
    readonly faces: readonly FontFace[];
    readonly width: number;
    readonly height: number;
    readonly scale: number;
  },
): Promise<Buffer> {
  if (width * height * scale * scale > mostPixels)
    throw new RangeError(`a picture of ${width * scale} × ${height * scale} pixels is too large`);
  const image = await renderAsync(svg, {
    fitTo: { mode: "zoom", value: scale },
    font: {
      fontFiles: faces.map(({ path }) => path),
      loadSystemFonts: false,
      defaultFontFamily: "IBM Plex Sans",
    },
  });
  return Buffer.from(image.asPng());
}
