import type { Collector, ColumnSink } from "./columnSink.ts";
import {
  columnBytes,
  columnWords,
  csvKinds,
  csvStatus,
  leftBytes,
  leftWords,
  openCsvKernel,
  readerWords,
  slackBytes,
  type CsvKernel,
} from "./csvKernel.ts";
import { CsvTexts } from "./csvTexts.ts";

const lineFeed = 10;
/** Number of cells, in records of usual width, that the kernel leaves before they are read. */
const leftCount = 4096;
/** Marks numbers without a decimal sign. No byte has this value. */
const noPoint = 256;

export interface CsvColumnsOptions {
  readonly separator: string;
  /** Number of cells that every record must have. */
  readonly width: number;
  readonly sink: ColumnSink;
}

/**
 * Parses separated values in UTF-8 with a kernel, which writes the cells to its memory. The arrays of the sink become
 * views of this memory. Accepts what `readCsv` accepts, with the same values. Cells in unusual forms are converted one
 * by one. Whatever it cannot decide, such as a damaged record, it leaves to `readCsv`, which has the messages.
 */
export class CsvColumns {
  readonly #sink: ColumnSink;
  readonly #kernel: CsvKernel = openCsvKernel();
  /** The strings of each column of the file, and the place of each column in the sink. */
  readonly #texts: (CsvTexts | undefined)[] = [];
  readonly #places: number[] = [];
  /** The bytes to parse: address, and size of the area. */
  #input = 0;
  #inputBytes = 0;

  constructor({ separator, width, sink }: CsvColumnsOptions) {
    this.#sink = sink;
    const kernel = this.#kernel;
    const separatorCode = separator.charCodeAt(0);
    this.#set("separator", separatorCode);
    this.#set("columnCount", width);
    this.#set("columns", kernel.take(width * columnBytes));
    this.#set("leftLimit", Math.max(leftCount, width));
    this.#set("left", kernel.take(this.#get("leftLimit") * leftBytes));
    // The strings that mean null apply to all columns.
    this.#writeNulls(
      Array.from(sink.collectors[0]?.forms.nulls ?? [], (text) => Buffer.from(text)),
    );
    sink.wanted.forEach(({ index }, place) => {
      this.#places[index] = place;
      this.#open(index, sink.collectors[place]!, separatorCode);
    });
  }

  /** The position after the last parsed record. */
  get at(): number {
    return this.#get("at") - this.#input;
  }

  /** The line on which the next record begins. */
  get line(): number {
    return this.#get("line");
  }

  /**
   * Sets the bytes to parse, which start on the line `line`: those that an earlier chunk left, and those that follow.
   * Returns the bytes; they are valid until the next call.
   */
  open(rest: Uint8Array, part: Uint8Array, line: number): Buffer {
    const kernel = this.#kernel;
    const length = rest.length + part.length;
    if (length > this.#inputBytes) {
      this.#inputBytes = length * 2;
      this.#input = kernel.take(this.#inputBytes);
      this.#set("scratch", kernel.take(this.#inputBytes));
    }
    const end = this.#input + length;
    kernel.bytes.set(rest, this.#input);
    kernel.bytes.set(part, this.#input + rest.length);
    // Loops over cells need no other limit.
    kernel.bytes.fill(lineFeed, end, end + slackBytes);
    this.#set("at", this.#input);
    this.#set("end", end);
    this.#set("line", line);
    return Buffer.from(kernel.bytes.buffer, this.#input, length);
  }

  /**
   * Parses complete records until the sink is full or the bytes end. Returns `more` if the sink is full, `end` if only
   * an incomplete record is left, and `doubt` if `readCsv` must parse the rest.
   */
  parse(): "more" | "end" | "doubt" {
    const sink = this.#sink;
    while (!sink.isFull) {
      this.#set("row", sink.rowCount);
      this.#set("rowLimit", sink.rowCount + sink.freeRows);
      const status = this.#kernel.readCsvRecords(this.#kernel.state);
      sink.rowCount = this.#get("row");
      if (!this.#readLeft()) return "doubt";
      if (status === csvStatus.incomplete) return "end";
      if (status === csvStatus.doubt) return "doubt";
      if (status === csvStatus.textsFull)
        this.#texts[this.#get("fullColumn")]!.grow(this.#get("wantedBytes"));
    }
    return "more";
  }

  /** Skips the next record, for example the header. Returns `more` if it was skipped, otherwise like `parse`. */
  skipRecord(): "more" | "end" | "doubt" {
    this.#set("row", 0);
    this.#set("rowLimit", 1);
    this.#set("isSkipping", 1);
    const status = this.#kernel.readCsvRecords(this.#kernel.state);
    this.#set("isSkipping", 0);
    return status === csvStatus.more ? "more" : status === csvStatus.incomplete ? "end" : "doubt";
  }

  /**
   * Converts the cells that the kernel left. Returns false if a cell cannot be converted; its record is then the next
   * one.
   */
  #readLeft(): boolean {
    const { bytes, words } = this.#kernel;
    const count = this.#get("leftCount");
    this.#set("leftCount", 0);
    for (let index = 0; index < count; index++) {
      const at = (this.#get("left") + index * leftBytes) / 4;
      const from = words[at + leftWords.from]!;
      const to = words[at + leftWords.to]!;
      const row = words[at + leftWords.row]!;
      const cell = Buffer.from(bytes.buffer, from, to - from).toString("utf8");
      const text = words[at + leftWords.isDoubled] === 1 ? cell.replaceAll('""', '"') : cell;
      if (this.#sink.trySetCell(row, this.#places[words[at + leftWords.column]!]!, text)) continue;
      this.#sink.rowCount = row;
      this.#set("at", words[at + leftWords.record]!);
      this.#set("line", words[at + leftWords.line]!);
      return false;
    }
    return true;
  }

  /** Places the values of a collector in the kernel's memory. */
  #open(index: number, collector: Collector, separatorCode: number): void {
    const kernel = this.#kernel;
    const column = this.#get("columns") + index * columnBytes;
    const set = (member: keyof typeof columnWords, value: number) => {
      kernel.words[column / 4 + columnWords[member]] = value;
    };
    const { decimalComma, unit, format, timeZone, reading } = collector.forms;
    if (collector.type === "hierarchy") {
      const { length } = collector.codes;
      const values = kernel.take(length * 4);
      set("values", values);
      collector.codes = kernel.words.subarray(values / 4, values / 4 + length);
      set("kind", reading === undefined ? csvKinds.text : csvKinds.otherText);
      if (reading !== undefined) return;
      collector.table = this.#texts[index] = new CsvTexts(kernel, column, length + 1);
      return;
    }
    const { length } = collector.values;
    const values = kernel.take(length * 8);
    set("values", values);
    collector.values = new Float64Array(kernel.words.buffer, values, length);
    const point = (decimalComma ? "," : ".").charCodeAt(0);
    set("point", point === separatorCode ? noPoint : point);
    // The common strings, plain numbers and ISO dates, may have another meaning in the column.
    const kind =
      collector.type === "numeric"
        ? unit === "%"
          ? csvKinds.otherNumber
          : csvKinds.number
        : format === undefined && timeZone === undefined
          ? csvKinds.instant
          : csvKinds.otherNumber;
    set("kind", kind);
  }

  #writeNulls(nulls: readonly Buffer[]): void {
    const kernel = this.#kernel;
    this.#set("nulls", kernel.take(nulls.length * 8));
    this.#set("nullCount", nulls.length);
    nulls.forEach((text, index) => {
      const at = kernel.take(text.length);
      kernel.bytes.set(text, at);
      kernel.words.set([at, text.length], this.#get("nulls") / 4 + index * 2);
    });
  }

  #get(member: keyof typeof readerWords): number {
    return this.#kernel.words[this.#kernel.state / 4 + readerWords[member]]!;
  }

  #set(member: keyof typeof readerWords, value: number): void {
    this.#kernel.words[this.#kernel.state / 4 + readerWords[member]] = value;
  }
}
