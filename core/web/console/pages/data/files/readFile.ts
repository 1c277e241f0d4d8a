import { mostUnpackedBytes, UnreadableFile, type FileTable } from "./fileTable.ts";
import { readText } from "./readText.ts";

/** A file that the reader chose. */
export interface FileBytes {
  readonly name: string;
  readonly size: number;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Maximum size, because a file is read into memory. Larger files need the connector for files. */
const mostBytes = 256 * 2 ** 20;

const startsWith = (bytes: Uint8Array, signature: readonly number[]): boolean =>
  signature.every((byte, at) => bytes[at] === byte);

/**
 * Reads the tables of a file. The first bytes determine the format, not the file name. Supported are Excel, Parquet and
 * text with rows, which may be compressed with gzip. Readers for binary formats are loaded on first use.
 * @throws {UnreadableFile}
 */
export async function readFile(file: FileBytes): Promise<readonly FileTable[]> {
  if (file.size > mostBytes)
    throw new UnreadableFile(
      `The file is ${Math.ceil(file.size / 2 ** 20)} MB, and the limit for uploads is 256 MB. Connect a Files source instead.`,
    );
  let bytes = new Uint8Array(await file.arrayBuffer());
  if (startsWith(bytes, [0x1f, 0x8b])) bytes = await unpack(bytes);
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) {
    const { readBook } = await import("./readBook.ts");
    return readBook(bytes);
  }
  if (startsWith(bytes, [0x50, 0x41, 0x52, 0x31])) {
    const { readParquet } = await import("./readParquet.ts");
    return [await readParquet(bytes)];
  }
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0]))
    throw new UnreadableFile(
      "The file is a workbook in an old format or with a password. Save it as XLSX without a password.",
    );
  return [readText(file.name.replace(/\.gz$/i, ""), textOf(bytes))];
}

async function unpack(packed: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  try {
    for await (const part of stream) {
      length += part.length;
      if (length > mostUnpackedBytes)
        throw new UnreadableFile("The file is larger than 1 GB when unpacked.");
      parts.push(part);
    }
  } catch (cause) {
    if (cause instanceof UnreadableFile) throw cause;
    throw new UnreadableFile("The compressed file is damaged.", { cause });
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Decodes UTF-16 with a byte order mark, UTF-8, or otherwise the encoding used by Western European spreadsheets. */
function textOf(bytes: Uint8Array): string {
  if (startsWith(bytes, [0xff, 0xfe])) return new TextDecoder("utf-16le").decode(bytes);
  if (startsWith(bytes, [0xfe, 0xff])) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
