import { pageParts, type Page } from "../../web/charts/index.ts";
import { createPause } from "../createPause.ts";
import type { FontFace } from "./openFonts.ts";
import { outlineTexts } from "./outlineTexts.ts";
import { rasterize } from "./rasterize.ts";

/**
 * Draws a page as PNG. It uses only the given faces, so that the pixels are the same on every machine. The main thread
 * converts letters to outlines, and yields to other work from time to time. A separate thread draws the picture.
 * `refuseTooLarge` limits the number of pixels.
 */
export async function writePng(
  page: Page,
  { faces, scale }: { readonly faces: readonly FontFace[]; readonly scale: number },
): Promise<Buffer> {
  const pause = createPause();
  const parts: string[] = [];
  for (const part of pageParts(await outlineTexts(page, faces))) {
    parts.push(part);
    await pause();
  }
  return rasterize({ svg: parts.join("\n"), scale });
}
