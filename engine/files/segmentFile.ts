import { basename } from "node:path";
import { crc32 } from "node:zlib";
import type { SavedColumn, SavedSegment } from "../column/savedColumn.ts";
import { readSegment, segmentRecordDoubles } from "../column/segment/segment.ts";
import { storedBytes } from "../column/segment/storedBytes.ts";
import { DamagedFile } from "./damagedFile.ts";
import type { Files, PartFile } from "./files.ts";
import { checkFileHeader, fileHeaderBytes } from "./frame.ts";
import {
  decodeFooter,
  decodeTrailer,
  trailerBytes,
  type FilePart,
  type FooterColumn,
  type SegmentFooter,
} from "./segmentFooter.ts";
import { packChunk } from "./textChunk.ts";

/** Bytes before the first values: the header that every file has, padded with zeros. */
export const segmentFileHeaderBytes = 64;
const recordBytes = segmentRecordDoubles * 8;

/** The full row groups of one generation of a table. `open` only reads the footer; columns are read on demand. */
export class SegmentFile {
  readonly path: string;
  readonly footer: SegmentFooter;
  readonly sizeBytes: number;
  readonly #files: Files;
  #open: Promise<PartFile> | undefined;
  readonly #reading = new Set<Promise<unknown>>();
  #isClosed = false;

  private constructor(files: Files, path: string, footer: SegmentFooter, sizeBytes: number) {
    this.#files = files;
    this.path = path;
    this.footer = footer;
    this.sizeBytes = sizeBytes;
  }

  /** Opens a segment file and reads its footer. @throws {DamagedFile} */
  static async open(files: Files, path: string): Promise<SegmentFile> {
    const parts = await files.openParts(path);
    try {
      const { sizeBytes } = parts;
      if (sizeBytes < segmentFileHeaderBytes + trailerBytes) throw damaged(path, "it is cut off");
      const header = Buffer.alloc(segmentFileHeaderBytes);
      await parts.read(header, 0);
      const wrong = checkFileHeader(header);
      if (wrong) throw damaged(path, wrong.damage);
      if (header.subarray(fileHeaderBytes).some((byte) => byte !== 0))
        throw damaged(path, "its header is damaged");
      const trailer = Buffer.alloc(trailerBytes);
      await parts.read(trailer, sizeBytes - trailerBytes);
      const place = decodeTrailer(trailer);
      if (!place || place.offset + place.sizeBytes + trailerBytes !== sizeBytes)
        throw damaged(path, "its end does not match its checksum");
      const footer = decodeFooter(await readPart(path, parts, place));
      return new SegmentFile(files, path, footer, sizeBytes);
    } finally {
      await parts.close();
    }
  }

  /** Returns a column by name; undefined if the file does not contain it. */
  column(name: string): SavedColumn | undefined {
    const column = this.footer.columns.find((candidate) => candidate.name === name);
    if (!column) return undefined;
    return {
      rowGroupCount: this.footer.rowGroupCount,
      summary: column.summary,
      textCount: column.textCount,
      textBytes: column.textBytes,
      readSegments: () => this.#read((parts) => this.#segments(parts, column)),
      readValues: (segments, into) =>
        this.#read((parts) => this.#values(parts, column, segments, into)),
      readTexts: (into) =>
        this.#read(async (parts) => {
          for (const part of column.texts)
            into.merge(packChunk(await readPart(this.path, parts, part)));
        }),
    };
  }

  /** Rejects further reads, and closes the file once the running reads have finished. The file can then be removed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#reading);
    await (await this.#open?.catch(() => undefined))?.close();
    this.#open = undefined;
  }

  async #segments(parts: PartFile, column: FooterColumn): Promise<readonly SavedSegment[]> {
    const bytes = await readPart(this.path, parts, column.records);
    const records = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 8);
    return Array.from({ length: bytes.byteLength / recordBytes }, (_, index) => {
      const record = records.subarray(
        index * segmentRecordDoubles,
        (index + 1) * segmentRecordDoubles,
      );
      return { segment: readSegment(record), crc32: record[segmentRecordDoubles - 1] };
    });
  }

  async #values(
    parts: PartFile,
    column: FooterColumn,
    segments: readonly SavedSegment[],
    into: Uint8Array,
  ): Promise<void> {
    const start = segments.find(({ segment }) => segment.values)?.segment.values?.offset ?? 0;
    await parts.read(into, column.values.offset + start);
    let position = 0;
    for (const saved of segments) {
      const size = storedBytes(saved.segment);
      if (crc32(into.subarray(position, position + size)) !== saved.crc32)
        throw damaged(
          this.path,
          `the values of the column ${column.name} at byte ${column.values.offset + start + position} do not match their checksum`,
        );
      position += size;
    }
  }

  /** Runs a read. The first read opens the file, which stays open for other reads. */
  #read<Result>(run: (parts: PartFile) => Promise<Result>): Promise<Result> {
    if (this.#isClosed) return Promise.reject(new Error(`${basename(this.path)} is closed`));
    const open = (this.#open ??= this.#files.openParts(this.path));
    open.catch(() => {
      if (this.#open === open) this.#open = undefined;
    });
    const reading = open.then(run);
    const done = reading.then(
      () => undefined,
      () => undefined,
    );
    this.#reading.add(done);
    void done.finally(() => this.#reading.delete(done));
    return reading;
  }
}

async function readPart(path: string, parts: PartFile, part: FilePart): Promise<Uint8Array> {
  const bytes = new Uint8Array(part.sizeBytes);
  await parts.read(bytes, part.offset);
  if (crc32(bytes) !== part.crc32)
    throw damaged(path, `the part at byte ${part.offset} does not match its checksum`);
  return bytes;
}

const damaged = (path: string, reason: string) => new DamagedFile(`${basename(path)}: ${reason}`);
