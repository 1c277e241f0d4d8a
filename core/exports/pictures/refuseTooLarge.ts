import { ApiError } from "../../base/index.ts";
import type { ParsedExport } from "../parseExport.ts";

/** Maximum number of pixels of a PNG. Drawing a PNG of this size takes 160 MB of memory. */
const mostPixels = 40_000_000;
/** Maximum pixels per side of a PDF. They equal 14,400 points, the most that readers open (ISO 32000-1, annex C.2). */
const mostPdfSide = 19_200;

/**
 * Refuses a picture that is too large, before any query or drawing.
 * @throws {ApiError} EXPORT_TOO_LARGE
 */
export function refuseTooLarge(
  { width, height }: { readonly width: number; readonly height: number },
  { format, scale }: Pick<ParsedExport, "format" | "scale">,
): void {
  if (format === "pdf" && Math.max(width, height) > mostPdfSide)
    throw new ApiError("EXPORT_TOO_LARGE", [
      `${Math.ceil(width)} × ${Math.ceil(height)} pixels; a side of a PDF may have at most ${mostPdfSide}`,
      "export the items one by one",
    ]);
  const pixels = width * height * scale * scale;
  if ((format === "png" || format === "base64") && pixels > mostPixels)
    throw new ApiError("EXPORT_TOO_LARGE", [
      `${Math.ceil(width * scale)} × ${Math.ceil(height * scale)} pixels; a PNG may have at most ${mostPixels}`,
      "reduce scale, width or height, or export the items of a dashboard one by one",
    ]);
}
