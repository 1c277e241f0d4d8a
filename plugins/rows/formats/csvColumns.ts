import type { ColumnSink, NumberCollector, TextCollector } from "./columnSink.ts";
import { readInstant } from "./readInstant.ts";
import { mostRecordLength } from "./readCsv.ts";
import { paddingBytes } from "./textTable.ts";

const [quote, lineFeed, carriageReturn, minus, plus, zero, nine] = [34, 10, 13, 45, 43, 48, 57];
/** Numbers of at most this many digits are exact doubles, and so are powers of ten up to the 22nd. */
const mostDigits = 15;
/** Longer numbers may exceed the range of doubles. */
const mostLongDigits = 300;
const powers = Float64Array.from({ length: mostDigits + 1 }, (_, exponent) => 10 ** exponent);

/** Number of bytes after the bytes to parse that the parser overwrites. */
export const chunkPaddingBytes = paddingBytes + 1;

/** A column of the file: the position of its collector in the sink, or -1 if it is not requested. */
type Target =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly index: number; readonly collector: TextCollector }
  | { readonly kind: "boolean"; readonly index: number; readonly collector: TextCollector }
  | {
      readonly kind: "number" | "instant";
      readonly index: number;
      readonly collector: NumberCollector;
      /** Whether the common strings, plain numbers and ISO dates, have their usual meaning in the column. */
      readonly isPlain: boolean;
      /** The decimal sign of plain numbers, or -1 if it is the separator. */
      readonly point: number;
    };

type WantedTarget = Exclude<Target, { readonly kind: "none" }>;

export interface CsvColumnsOptions {
  readonly separator: string;
  /** Number of cells that every record must have. */
  readonly width: number;
  readonly sink: ColumnSink;
}

/**
 * Parses separated values in UTF-8 and writes the cells to the columns of a sink. Accepts what `readCsv` accepts, with
 * the same values. Whatever it cannot decide, such as a damaged record, it leaves to `readCsv`, which has the messages.
 */
export class CsvColumns {
  readonly #separator: number;
  readonly #sink: ColumnSink;
  readonly #targets: readonly Target[];
  readonly #nulls: readonly Uint8Array[];
  #bytes: Buffer = Buffer.alloc(0);
  #view: DataView = new DataView(new ArrayBuffer(0));
  /** The end of the bytes to parse. A line feed follows, so that loops over cells need no other limit. */
  #end = 0;
  /** A quoted cell without its doubled quotes. */
  #scratch = Buffer.alloc(1024);

  /** The position after the last parsed record, and the line on which the next record begins. */
  at = 0;
  line = 1;

  constructor({ separator, width, sink }: CsvColumnsOptions) {
    this.#separator = separator.charCodeAt(0);
    this.#sink = sink;
    // The strings that mean null apply to all columns.
    const nulls = sink.collectors[0]?.forms.nulls ?? [];
    this.#nulls = Array.from(nulls, (text) => Buffer.from(text));
    const targets: Target[] = Array.from({ length: width }, () => ({ kind: "none" }));
    sink.wanted.forEach(({ index, type }, place) => {
      const collector = sink.collectors[place]!;
      const { decimalComma, unit, format, timeZone, reading } = collector.forms;
      if (collector.type === "hierarchy") {
        const kind = reading === undefined ? "text" : "boolean";
        targets[index] = { kind, index: place, collector };
        return;
      }
      const point = (decimalComma ? "," : ".").charCodeAt(0);
      targets[index] = {
        kind: type === "numeric" ? "number" : "instant",
        index: place,
        collector,
        isPlain: type === "numeric" ? unit !== "%" : format === undefined && timeZone === undefined,
        point: point === this.#separator ? -1 : point,
      };
    });
    this.#targets = targets;
  }

  /**
   * Sets the bytes to parse: the bytes before `end`, which start on the line `line`. Overwrites the `chunkPaddingBytes`
   * after `end`.
   */
  open(bytes: Buffer, end: number, line: number): void {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#end = end;
    bytes.fill(lineFeed, end, end + chunkPaddingBytes);
    this.at = 0;
    this.line = line;
  }

  /**
   * Parses complete records until the sink is full or the bytes end. Returns `more` if the sink is full, `end` if only
   * an incomplete record is left, and `doubt` if `readCsv` must parse the rest.
   */
  parse(): "more" | "end" | "doubt" {
    const sink = this.#sink;
    for (;;) {
      if (sink.isFull) return "more";
      if (this.at >= this.#end) return "end";
      const parsed = this.#record();
      if (parsed !== "row" && parsed !== "blank") return parsed;
      if (parsed === "row") sink.rowCount++;
    }
  }

  /** Skips the next record, for example the header. Returns `more` if it was skipped, otherwise like `parse`. */
  skipRecord(): "more" | "end" | "doubt" {
    for (;;) {
      if (this.at >= this.#end) return "end";
      const parsed = this.#record(true);
      if (parsed !== "blank") return parsed === "row" ? "more" : parsed;
    }
  }

  #record(isSkipped = false): "row" | "blank" | "end" | "doubt" {
    const bytes = this.#bytes;
    const end = this.#end;
    const separator = this.#separator;
    const targets = this.#targets;
    const width = targets.length;
    const row = this.#sink.rowCount;
    let at = this.at;
    let lineCount = 1;
    let cellCount = 0;
    let isBlank = false;
    for (;;) {
      const target = cellCount < width ? targets[cellCount]! : undefined;
      const from = at;
      let code = bytes[at]!;
      if (code === quote) {
        let close = bytes.indexOf(quote, at + 1);
        let isDoubled = false;
        while (close >= 0 && close + 1 < end && bytes[close + 1] === quote) {
          isDoubled = true;
          close = bytes.indexOf(quote, close + 2);
        }
        if (close < 0 || close + 1 >= end) return "end";
        at = close + 1;
        code = bytes[at]!;
        if (code !== separator && code !== lineFeed && code !== carriageReturn) return "doubt";
        for (let index = from + 1; index < close; index++) {
          const each = bytes[index]!;
          if (each === lineFeed || (each === carriageReturn && bytes[index + 1] !== lineFeed))
            lineCount++;
        }
        if (target && target.kind !== "none" && !isSkipped) {
          const isRead = isDoubled
            ? this.#unescaped(from + 1, close, target)
            : this.#cell(this.#view, from + 1, close, target);
          if (!isRead) return "doubt";
        }
      } else if (target?.kind === "number" && target.isPlain && !isSkipped) {
        // Most numbers are read here in one pass.
        const isNegative = code === minus;
        if (isNegative || code === plus) code = bytes[++at]!;
        const digits = at;
        let value = 0;
        while (code >= zero && code <= nine) {
          value = value * 10 + (code - zero);
          code = bytes[++at]!;
        }
        let digitCount = at - digits;
        let scale = 0;
        if (code === target.point) {
          const fraction = at + 1;
          code = bytes[++at]!;
          while (code >= zero && code <= nine) {
            value = value * 10 + (code - zero);
            code = bytes[++at]!;
          }
          scale = at - fraction;
          digitCount += scale;
        }
        const isEnd = code === separator || code === lineFeed || code === carriageReturn;
        if (isEnd && digitCount > 0 && digitCount <= mostLongDigits && this.#nulls.length === 0) {
          if (digitCount > mostDigits)
            value = Number(bytes.toString("latin1", digits, at).replace(",", "."));
          else if (scale > 0) value /= powers[scale]!;
          target.collector.values[row] = isNegative ? 0 - value : value;
        } else {
          while (code !== separator && code !== lineFeed && code !== carriageReturn)
            code = bytes[++at]!;
          if (at < end && !this.#cell(this.#view, from, at, target)) return "doubt";
        }
      } else {
        while (code !== separator && code !== lineFeed && code !== carriageReturn)
          code = bytes[++at]!;
        if (at >= end) return "end";
        if (target && target.kind !== "none" && !isSkipped) {
          if (target.kind === "text") {
            const length = at - from;
            target.collector.codes[row] =
              length === 0 || (this.#nulls.length > 0 && this.#isNull(this.#view, from, at))
                ? -1
                : target.collector.table.codeOf(this.#view, from, length);
          } else if (!this.#cell(this.#view, from, at, target)) return "doubt";
        }
      }
      if (at >= end) return "end";
      cellCount++;
      if (code === separator) {
        at++;
        continue;
      }
      isBlank = cellCount === 1 && at === from;
      break;
    }
    // The last CR may be the first half of a CRLF.
    if (bytes[at] === carriageReturn) {
      if (at + 1 >= end) return "end";
      if (bytes[at + 1] === lineFeed) at++;
    }
    at++;
    if (!isBlank && !isSkipped && cellCount !== width) return "doubt";
    // A longer record may exceed the maximum, which counts characters.
    if (at - this.at > mostRecordLength) return "doubt";
    this.at = at;
    this.line += lineCount;
    return isBlank ? "blank" : "row";
  }

  /** Reads a quoted cell that contains doubled quotes. */
  #unescaped(from: number, to: number, target: WantedTarget): boolean {
    if (this.#scratch.length < to - from + paddingBytes)
      this.#scratch = Buffer.alloc(2 * (to - from + paddingBytes));
    const scratch = this.#scratch;
    let length = 0;
    for (let at = from; at < to; at++) {
      scratch[length++] = this.#bytes[at]!;
      if (this.#bytes[at] === quote) at++;
    }
    const view = new DataView(scratch.buffer, scratch.byteOffset, scratch.length);
    return this.#cell(view, 0, length, target);
  }

  /** Reads a cell. Returns false if it cannot be converted. A quoted empty cell is an empty string. */
  #cell(view: DataView, from: number, to: number, target: WantedTarget): boolean {
    const row = this.#sink.rowCount;
    if (this.#nulls.length > 0 && this.#isNull(view, from, to)) {
      if (target.kind === "text" || target.kind === "boolean") target.collector.codes[row] = -1;
      else target.collector.values[row] = NaN;
      return true;
    }
    if (target.kind === "text") {
      target.collector.codes[row] = target.collector.table.codeOf(view, from, to - from);
      return true;
    }
    if (from === to) {
      if (target.kind === "boolean") target.collector.codes[row] = -1;
      else target.collector.values[row] = NaN;
      return true;
    }
    if (target.kind === "instant" && target.isPlain) {
      const instantMs = readInstant(view, from, to);
      if (instantMs !== undefined) {
        target.collector.values[row] = instantMs;
        return true;
      }
    }
    const text = Buffer.from(view.buffer, view.byteOffset + from, to - from).toString("utf8");
    return this.#sink.trySetCell(row, target.index, text);
  }

  #isNull(view: DataView, from: number, to: number): boolean {
    for (const text of this.#nulls) {
      if (text.length !== to - from) continue;
      let at = 0;
      while (at < text.length && text[at] === view.getUint8(from + at)) at++;
      if (at === text.length) return true;
    }
    return false;
  }
}
