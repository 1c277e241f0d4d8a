import { isAscii } from "node:buffer";
import { crc32 } from "node:zlib";
import type { PackedTexts } from "../column/texts/packedTexts.ts";
import { dictionaryEntryBytes, packedTextsBytes } from "../column/texts/dictionary.ts";
import { segmentRecordDoubles, writeSegment, type Segment } from "../column/segment/segment.ts";
import { placeSegment } from "../column/loadSegments.ts";
import { emptySummary, summarize, type ColumnSummary } from "../column/segment/summary.ts";
import type { ColumnDefinition } from "../types.ts";
import type { Files, LogFile } from "./files.ts";
import { createFileHeader } from "./frame.ts";
import {
  encodeFooter,
  type FilePart,
  type FooterColumn,
  type SegmentFooter,
} from "./segmentFooter.ts";
import { segmentFileHeaderBytes } from "./segmentFile.ts";
import { chunkTexts, encodeAscii, encodeTexts } from "./textChunk.ts";

/** A list of strings that can be read range by range. */
export interface TextRange {
  readonly length: number;
  slice(from: number, until: number): readonly string[];
  /** Returns the same strings as bytes; undefined if they do not exist as bytes. */
  packed?(from: number, until: number): Omit<PackedTexts, "hashes"> | undefined;
}

/**
 * Writes a segment file column by column. For each column, call `startColumn`, then `addSegment` for each of its
 * segments in order, then `endColumn`. Keeps only the records of segments in memory.
 */
export class SegmentWriter {
  readonly #file: LogFile;
  readonly #rowGroupCount: number;
  readonly #columns: FooterColumn[] = [];
  #position = segmentFileHeaderBytes;
  #valuesOffset = 0;
  #summary: ColumnSummary = emptySummary;
  #records: Float64Array = new Float64Array(0);
  #recordCount = 0;

  private constructor(file: LogFile, rowGroupCount: number) {
    this.#file = file;
    this.#rowGroupCount = rowGroupCount;
  }

  static async create(files: Files, path: string, rowGroupCount: number): Promise<SegmentWriter> {
    const file = await files.openLog(path, true);
    const writer = new SegmentWriter(file, rowGroupCount);
    try {
      const header = Buffer.alloc(segmentFileHeaderBytes);
      header.set(createFileHeader());
      await file.write(header, 0);
      return writer;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  startColumn(): void {
    this.#valuesOffset = this.#position;
    this.#summary = emptySummary;
    this.#records = new Float64Array(this.#rowGroupCount * segmentRecordDoubles);
    this.#recordCount = 0;
  }

  /** Adds a segment. `bytes` are its stored values and times, one after the other. */
  async addSegment(segment: Segment, bytes: Uint8Array): Promise<void> {
    const record = this.#records.subarray(
      this.#recordCount * segmentRecordDoubles,
      ++this.#recordCount * segmentRecordDoubles,
    );
    const checksum = crc32(bytes);
    writeSegment(record, placeSegment(segment, 0, this.#position - this.#valuesOffset));
    record[segmentRecordDoubles - 1] = checksum;
    this.#summary = summarize(this.#summary, segment);
    await this.#write(bytes);
  }

  /** Ends a column with its dictionary. `texts` are in the order of codes. */
  async endColumn({ name, type }: ColumnDefinition, texts: TextRange): Promise<void> {
    const values = {
      offset: this.#valuesOffset,
      sizeBytes: this.#position - this.#valuesOffset,
    };
    const records = await this.#writePart(
      new Uint8Array(this.#records.buffer, 0, this.#recordCount * segmentRecordDoubles * 8),
    );
    const parts: FilePart[] = [];
    let textBytes = 0;
    for (let start = 0; start < texts.length; start += chunkTexts) {
      const until = Math.min(texts.length, start + chunkTexts);
      const packed = texts.packed?.(start, until);
      if (packed && isAscii(packed.bytes)) {
        textBytes += packedTextsBytes(packed);
        parts.push(await this.#writePart(encodeAscii(packed)));
        continue;
      }
      const chunk = texts.slice(start, until);
      for (const text of chunk) textBytes += dictionaryEntryBytes(text);
      parts.push(await this.#writePart(encodeTexts(chunk)));
    }
    const textCount = texts.length;
    const summary = this.#summary;
    this.#columns.push({
      name,
      type,
      summary,
      values,
      records,
      texts: parts,
      textCount,
      textBytes,
    });
  }

  /** Writes the footer and syncs the file. */
  async end(): Promise<void> {
    const footer: SegmentFooter = { rowGroupCount: this.#rowGroupCount, columns: this.#columns };
    await this.#write(encodeFooter(footer, this.#position));
    await this.#file.sync();
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #writePart(bytes: Uint8Array): Promise<FilePart> {
    const offset = this.#position;
    await this.#write(bytes);
    return { offset, sizeBytes: bytes.length, crc32: crc32(bytes) };
  }

  async #write(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return;
    await this.#file.write(bytes, this.#position);
    this.#position += bytes.length;
  }
}
