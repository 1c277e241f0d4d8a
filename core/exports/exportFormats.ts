import { namesOf } from "../../plugins/protocol/index.ts";
import { arrowType, jsonType } from "../base/index.ts";

interface FormatRow {
  readonly holds: "rows" | "picture";
  readonly mediaType: string;
  /** Extension of the file name, without the dot. */
  readonly extension: string;
  /** Whether the rows contain stored values for programs, without labels, local times or totals. */
  readonly isRaw?: true;
  /** Whether a picture in this format can show a whole dashboard, not only an item. */
  readonly showsDashboards?: true;
}

const csv = { holds: "rows", mediaType: "text/csv; charset=utf-8", extension: "csv" } as const;
const xlsx = {
  holds: "rows",
  mediaType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  extension: "xlsx",
} as const;

/** The table of export formats. Messages and the API's description list the formats in this order. */
const definitions = {
  csv,
  "csv-raw": { ...csv, isRaw: true },
  xlsx,
  "xlsx-raw": { ...xlsx, isRaw: true },
  parquet: {
    holds: "rows",
    mediaType: "application/vnd.apache.parquet",
    extension: "parquet",
    isRaw: true,
  },
  arrow: { holds: "rows", mediaType: arrowType, extension: "arrow", isRaw: true },
  json: { holds: "rows", mediaType: jsonType, extension: "json", isRaw: true },
  svg: { holds: "picture", mediaType: "image/svg+xml", extension: "svg", showsDashboards: true },
  png: { holds: "picture", mediaType: "image/png", extension: "png", showsDashboards: true },
  base64: { holds: "picture", mediaType: "text/plain; charset=us-ascii", extension: "txt" },
  pdf: { holds: "picture", mediaType: "application/pdf", extension: "pdf", showsDashboards: true },
} as const satisfies Readonly<Record<string, FormatRow>>;

/** The name of an export format, as callers write it: `csv`, `png`, … */
export type ExportFormat = keyof typeof definitions;

type FormatOf<Content extends FormatRow["holds"]> = {
  [Name in ExportFormat]: (typeof definitions)[Name]["holds"] extends Content ? Name : never;
}[ExportFormat];
/** The name of a format whose files contain rows. */
export type DataFormat = FormatOf<"rows">;
/** The name of a format whose files contain a picture. */
export type PictureFormat = FormatOf<"picture">;

/** The properties of each export format. */
export const exportFormats: Readonly<Record<ExportFormat, FormatRow>> = definitions;

/** The names of the export formats, in the order of the table. */
export const formatNames: readonly ExportFormat[] = namesOf(definitions);

/** Returns whether files of a format contain rows instead of a picture. */
export function isDataFormat(format: ExportFormat): format is DataFormat {
  return exportFormats[format].holds === "rows";
}
