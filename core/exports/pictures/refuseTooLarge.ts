import { ApiError } from "../../errors.ts";
import type { ParsedExport } from "../parseExport.ts";

/** Pixels of a PNG: 160 MB of memory while it is drawn. */
const mostPixels = 40_000_000;
/** Pixels of a side of a PDF: 14,400 points, the most that readers open (ISO 32000-1, annex C.2). */
const mostPdfSide = 19_200;

/**
 * Refuses a picture before anything is asked or drawn for it.
 * @throws {ApiError} EXPORT_TOO_LARGE
 */
export function refuseTooLarge(
  { width, height }: { readonly width: number; readonly height: number },
  { format, scale }: Pick<ParsedExport, "format" | "scale">,
): void {
  if (format === "pdf" && Math.max(width, height) > mostPdfSide)
    throw new ApiError("EXPORT_TOO_LARGE", [
      `${Math.ceil(width)} × ${Math.ceil(height)} pixels; a side of a PDF has at most ${mostPdfSide}`,
      "export its items one by one",
    ]);
  const pixels = width * height * scale * scale;
  if ((format === "png" || format === "base64") && pixels > mostPixels)
    throw new ApiError("EXPORT_TOO_LARGE", [
      `${Math.ceil(width * scale)} × ${Math.ceil(height * scale)} pixels; a PNG has at most ${mostPixels}`,
      "give a smaller scale, width or height, or export the items of a dashboard one by one",
    ]);
}
