import { wallClock } from "../../web/charts/index.ts";
import { exportFormats, type ExportFormat } from "../exportFormats.ts";

/** Maximum number of characters of the title in a file name. */
const longestTitle = 80;

/**
 * Returns the name of a file: its title, its date in the reader's time zone and its extension, such as `Sales by region
 * 2026-03-01.pdf`. Characters that some systems do not allow in file names become spaces, and dots at the start are
 * removed. Without a title, the name begins with `export`.
 */
export function fileName({
  title,
  extension,
  timezoneId = "UTC",
  atMs,
}: {
  readonly title: string;
  readonly extension: string;
  readonly timezoneId?: string | undefined;
  readonly atMs: number;
}): string {
  const words = title
    .normalize("NFC")
    .toWellFormed()
    .replaceAll(/[\s\p{C}\\/:*?"<>|]+/gu, " ")
    .replace(/^[. ]+/, "")
    .trim();
  const shown = Array.from(words).slice(0, longestTitle).join("").trim();
  const day = new Date(wallClock(atMs, timezoneId)).toISOString().slice(0, 10);
  return `${shown === "" ? "export" : shown} ${day}.${extension}`;
}

/** Returns the name under which an exported file is saved. */
export function nameOfFile(
  { title = "", timezoneId }: { readonly title?: string; readonly timezoneId?: string | undefined },
  format: ExportFormat,
  atMs: number,
): string {
  const { extension } = exportFormats[format];
  return fileName({ title, extension, timezoneId, atMs });
}
