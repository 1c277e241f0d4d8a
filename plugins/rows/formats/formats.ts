import { PluginError } from "../../protocol/index.ts";

/** How a file of rows is read. */
export interface Format {
  readonly kind: "delimited" | "json" | "jsonLines" | "parquet" | "arrow" | "xlsx";
  /** The separator that the ending of the name says. */
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

const endingsText = `${Object.keys(endings).join(", ")}; CSV, TSV and JSON also with .gz`;

/** Formats whose files may be gzipped: the others are packed, and read from any place. */
const textKinds = new Set<Format["kind"]>(["delimited", "json", "jsonLines"]);

/** Returns the format that the name of a file says, undefined for other files. */
export function formatOf(name: string): Format | undefined {
  const match = /\.([a-z]+)(\.gz)?$/i.exec(name);
  const format = endings[match?.[1]?.toLowerCase() ?? ""];
  const isGzipped = match?.[2] !== undefined;
  if (!format || (isGzipped && !textKinds.has(format.kind))) return undefined;
  return { ...format, isGzipped };
}

/**
 * Returns the format that an account names, such as `csv` or `csv.gz`.
 * @throws {PluginError} PLUGIN_INVALID for another
 */
export function formatNamed(ending: string): Format {
  const format = formatOf(`.${ending}`);
  if (format) return format;
  throw new PluginError("PLUGIN_INVALID", [`format must be ${endingsText}`]);
}

/** Like `formatOf`. @throws {PluginError} PLUGIN_INVALID for other files */
export function requireFormat(name: string): Format {
  const format = formatOf(name);
  if (format) return format;
  throw new PluginError("PLUGIN_INVALID", [
    `host names no file of rows; its name must end with ${endingsText}; format says it for an address whose name does not`,
  ]);
}
