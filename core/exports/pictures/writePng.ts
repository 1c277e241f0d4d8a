import { renderAsync } from "@resvg/resvg-js";
import { writePage, type Page } from "../../charts/index.ts";
import type { FontFace } from "./openFonts.ts";
import { outlineTexts } from "./outlineTexts.ts";

/** Pixels of a picture. */
const mostPixels = 40_000_000;

/**
 * Draws a page as PNG, with the given faces alone: the same pixels on every machine. Runs on a thread of libuv, beside
 * the main thread; letters become outlines before, on the main thread.
 * @throws {RangeError} for a picture of more than 40 million pixels
 */
export async function writePng(
  page: Page,
  { faces, scale }: { readonly faces: readonly FontFace[]; readonly scale: number },
): Promise<Buffer> {
  const { width, height } = page;
  if (width * height * scale * scale > mostPixels)
    throw new RangeError(`a picture of ${width * scale} × ${height * scale} pixels is too large`);
  const image = await renderAsync(writePage(await outlineTexts(page, faces)), {
    fitTo: { mode: "zoom", value: scale },
    font: { loadSystemFonts: false },
  });
  return Buffer.from(image.asPng());
}
