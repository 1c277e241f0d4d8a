import { arrowType, jsonType } from "../base/index.ts";
import type { ParsedExport } from "./parseExport.ts";

type Format = ParsedExport["format"];

const mediaTypes: Readonly<Record<Format, string>> = {
  csv: "text/csv; charset=utf-8",
  "csv-raw": "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "xlsx-raw": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  parquet: "application/vnd.apache.parquet",
  arrow: arrowType,
  json: jsonType,
  svg: "image/svg+xml",
  png: "image/png",
  base64: "text/plain; charset=us-ascii",
  pdf: "application/pdf",
};

/** Returns the media type and the name under which browsers save a file. */
export function fileFormOf(format: Format): { readonly mediaType: string; readonly name: string } {
  const extension = format === "base64" ? "txt" : format.replace("-raw", "");
  return { mediaType: mediaTypes[format], name: `export.${extension}` };
}
