import { gunzipSync } from "fflate";
import { decompress } from "fzstd";
import { parquetMetadataAsync, parquetReadObjects, type Compressors } from "hyparquet";
import { cellOf, createTable, UnreadableFile, type Cell, type FileTable } from "./fileTable.ts";

/** Codecs that hyparquet lacks. A page never unpacks to more bytes than it declares. */
const compressors: Compressors = {
  GZIP: (packed, length) => gunzipSync(packed, { out: new Uint8Array(length) }),
  ZSTD: (packed, length) => decompress(packed, new Uint8Array(length)),
};

/**
 * Reads a Parquet file. Columns of bytes are skipped, and nested values become JSON.
 * @throws {UnreadableFile}
 */
export async function readParquet(bytes: Uint8Array<ArrayBuffer>): Promise<FileTable> {
  const file = {
    byteLength: bytes.length,
    slice: (from: number, to = bytes.length) => bytes.slice(from, to).buffer,
  };
  try {
    const metadata = await parquetMetadataAsync(file);
    const dates = new Set(
      metadata.schema
        .filter((each) => each.converted_type === "DATE" || each.logical_type?.type === "DATE")
        .map(({ name }) => name),
    );
    const rows = await parquetReadObjects({ file, metadata, compressors });
    const header = topLevel(metadata.schema);
    const shown = header.filter((name) => !rows.some((row) => row[name] instanceof Uint8Array));
    if (shown.length === 0) throw new UnreadableFile("The file has no readable columns.");
    const cells = rows.map((row) => shown.map((name) => valueOf(row[name], dates.has(name))));
    return createTable("", shown, cells);
  } catch (cause) {
    if (cause instanceof UnreadableFile) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UnreadableFile(`The Parquet file cannot be read: ${reason}`, { cause });
  }
}

/** Returns the columns of a file: the children of the schema's root. */
function topLevel(
  schema: readonly { readonly name: string; readonly num_children?: number }[],
): readonly string[] {
  const names: string[] = [];
  let at = 1;
  for (let left = schema[0]?.num_children ?? 0; left > 0; left--) {
    const name = schema[at]?.name;
    if (name !== undefined) names.push(name);
    for (let open = 1; open > 0; at++) open += (schema[at]?.num_children ?? 0) - 1;
  }
  return names;
}

function valueOf(value: unknown, isDate: boolean): Cell {
  if (!(value instanceof Date)) return cellOf(value);
  if (Number.isNaN(value.getTime())) return null;
  return isDate ? value.toISOString().slice(0, 10) : value.toISOString();
}
