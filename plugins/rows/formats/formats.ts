import { PluginError } from "../../protocol/index.ts";

/** Describes how files of a format are read. */
export interface Format {
  readonly kind: "delimited" | "json" | "jsonLines" | "parquet" | "arrow" | "xlsx";
  /** The separator that the file name extension implies. */
  readonly separator?: string;
  readonly isGzipped: boolean;
}

const endings: Readonly<Record<string, Omit<Format, "isGzipped">>> = {
  csv: { kind: "delimited" },
  tsv: { kind: "delimited", separator: "\t" },
  json: { kind: "json" },
  jsonl: { kind: "jsonLines" },
  ndjson: { kind: "jsonLines" },
  parquet: { kind: "parquet" },
  arrow: { kind: "arrow" },
  feather: { kind: "arrow" },
  xlsx: { kind: "xlsx" },
};

/** The extensions of the formats, for messages. */
export const endingsText = `${Object.keys(endings).join(", ")}; CSV, TSV and JSON also with .gz`;

/** Formats whose files may be gzipped. Files of the other formats are already compressed and need random access. */
const textKinds = new Set<Format["kind"]>(["delimited", "json", "jsonLines"]);

/** Returns the format that a file name implies. Undefined for unknown extensions. */
export function formatOf(name: string): Format | undefined {
  const match = /\.([a-z]+)(\.gz)?$/i.exec(name);
  const format = endings[match?.[1]?.toLowerCase() ?? ""];
  const isGzipped = match?.[2] !== undefined;
  if (!format || (isGzipped && !textKinds.has(format.kind))) return undefined;
  return { ...format, isGzipped };
}

/**
 * Returns the format for a name in an account's settings, such as `csv` or `csv.gz`.
 * @throws {PluginError} PLUGIN_INVALID for an unknown name
 */
export function formatNamed(ending: string): Format {
  const format = formatOf(`.${ending}`);
  if (format) return format;
  throw new PluginError("PLUGIN_INVALID", [`format must be one of ${endingsText}`]);
}

/**
 * Returns the format that a file name implies.
 * @throws {PluginError} PLUGIN_INVALID for unknown extensions
 */
export function requireFormat(name: string): Format {
  const format = formatOf(name);
  if (format) return format;
  throw new PluginError("PLUGIN_INVALID", [
    `host must be a file with the extension ${endingsText}; for an address without one of them, set format`,
  ]);
}
