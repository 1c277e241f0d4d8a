import { crc32 } from "node:zlib";
import type { ColumnSummary } from "../column/segment/summary.ts";
import type { DataType } from "../types.ts";

/** A range of a segment file that is read and verified as a whole. */
export interface FilePart {
  readonly offset: number;
  readonly sizeBytes: number;
  readonly crc32: number;
}

/** One column of a segment file. */
export interface FooterColumn {
  readonly name: string;
  readonly type: DataType;
  readonly summary: ColumnSummary;
  /** The range of the stored values of all row groups. The checksum of each row group is in its record. */
  readonly values: Omit<FilePart, "crc32">;
  /**
   * The range of the segments' records. Offsets in records are relative to the start of `values`, and the last double
   * of a record is the checksum of the stored values.
   */
  readonly records: FilePart;
  /** The ranges of a text column's dictionary, in the order of codes. */
  readonly texts: readonly FilePart[];
  readonly textCount: number;
  /** Estimated bytes of memory that the dictionary needs. */
  readonly textBytes: number;
}

/** Describes the contents of a segment file. */
export interface SegmentFooter {
  readonly rowGroupCount: number;
  readonly columns: readonly FooterColumn[];
}

/** Bytes of the trailer at the end of a segment file: the location of the footer, and checksums. */
export const trailerBytes = 64;

/** Encodes the footer and the trailer that ends the file. `offset` is their position in the file. */
export function encodeFooter(footer: SegmentFooter, offset: number): Uint8Array {
  const json = Buffer.from(JSON.stringify(footer));
  const size = Math.ceil(json.length / 64) * 64;
  const bytes = Buffer.alloc(size + trailerBytes, " ");
  json.copy(bytes);
  const trailer = bytes.subarray(size).fill(0);
  trailer.writeDoubleLE(offset, 0);
  trailer.writeUInt32LE(size, 8);
  trailer.writeUInt32LE(crc32(bytes.subarray(0, size)), 12);
  trailer.writeUInt32LE(crc32(trailer.subarray(0, trailerBytes - 4)), trailerBytes - 4);
  return bytes;
}

/** Returns the location of the footer from the trailer; undefined if the trailer is damaged. */
export function decodeTrailer(bytes: Uint8Array): FilePart | undefined {
  const trailer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (trailer.readUInt32LE(trailerBytes - 4) !== crc32(trailer.subarray(0, trailerBytes - 4)))
    return undefined;
  return {
    offset: trailer.readDoubleLE(0),
    sizeBytes: trailer.readUInt32LE(8),
    crc32: trailer.readUInt32LE(12),
  };
}

/** Decodes a footer. Its checksum must have been verified. JSON has no NaN, so null bounds become NaN. */
export function decodeFooter(bytes: Uint8Array): SegmentFooter {
  const footer = JSON.parse(Buffer.from(bytes).toString("utf8")) as SegmentFooter;
  const columns = footer.columns.map((column) => ({
    ...column,
    summary: {
      ...column.summary,
      minimum: column.summary.minimum ?? NaN,
      maximum: column.summary.maximum ?? NaN,
    },
  }));
  return { ...footer, columns };
}
