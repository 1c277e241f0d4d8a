import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";

/* The source of the kernel, `readingCsv.ts`, describes the members of these layouts. */

/** The layout of the state, in words of 32 bits. The key follows, in 64 bits. */
export const readerWords = {
  at: 0,
  end: 1,
  line: 2,
  row: 3,
  rowLimit: 4,
  separator: 5,
  columnCount: 6,
  columns: 7,
  powers: 8,
  nulls: 9,
  nullCount: 10,
  left: 11,
  leftCount: 12,
  leftLimit: 13,
  scratch: 14,
  isSkipping: 15,
  fullColumn: 16,
  wantedBytes: 17,
  key: 18,
} as const;

/** The layout of a column, in words of 32 bits. */
export const columnWords = {
  kind: 0,
  values: 1,
  point: 2,
  slots: 3,
  slotMask: 4,
  ends: 5,
  bytes: 6,
  bytesLimit: 7,
  count: 8,
  countLimit: 9,
  usedBytes: 10,
} as const;

/** The layout of a cell that is left to the caller, in words of 32 bits. */
export const leftWords = { row: 0, column: 1, from: 2, to: 3, isDoubled: 4, record: 5, line: 6 };

export const columnBytes = 48;
export const leftBytes = 28;

/**
 * What the kernel does with the cells of a column. It leaves all cells of the last two kinds, but nulls, to the caller.
 */
export const csvKinds = {
  none: 0,
  text: 1,
  number: 2,
  instant: 3,
  otherNumber: 4,
  otherText: 5,
} as const;

/** The reason why the kernel stopped. */
export const csvStatus = {
  /** All rows are read, or one record was skipped. */
  more: 0,
  /** The next record is not complete. */
  incomplete: 1,
  /** The next record is unusual. */
  doubt: 2,
  /** The list of cells that the caller must read is full. */
  leftFull: 3,
  /** There is no space for a string of `wantedBytes` in the column `fullColumn`. */
  textsFull: 4,
} as const;

/** Number of bytes after an area that the kernel may read or overwrite. */
export const slackBytes = 32;

const pageBytes = 65_536;
const mostPages = 2 ** 14;

/** A kernel with a memory of its own. */
export interface CsvKernel {
  /** The memory as bytes and as words. Growth replaces both, and earlier views stay valid. */
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  readonly words: Int32Array<SharedArrayBuffer>;
  /** Address of the state. */
  readonly state: number;
  /** Allocates zeros, which are never freed. */
  take(sizeBytes: number): number;
  readonly readCsvRecords: (state: number) => number;
  readonly internCsvText: (state: number, column: number, at: number, length: number) => number;
}

function isKernel(exports: object): exports is Pick<CsvKernel, "readCsvRecords" | "internCsvText"> {
  return ["readCsvRecords", "internCsvText"].every(
    (name) => typeof Reflect.get(exports, name) === "function",
  );
}

let compiled: WebAssembly.Module | undefined;

/** Creates a kernel. The first call compiles it. */
export function openCsvKernel(): CsvKernel {
  compiled ??= new WebAssembly.Module(readFileSync(new URL("./csvReader.wasm", import.meta.url)));
  const memory = new WebAssembly.Memory({ initial: 1, maximum: mostPages, shared: true });
  const { exports } = new WebAssembly.Instance(compiled, { env: { memory } });
  if (!isKernel(exports))
    throw new Error("csvReader.wasm does not have the functions of this code");
  const { readCsvRecords, internCsvText } = exports;
  let bytes = new Uint8Array(memory.buffer);
  let words = new Int32Array(memory.buffer);
  // No address is 0.
  let end = 64;
  const take = (sizeBytes: number): number => {
    const from = end;
    end = Math.ceil((from + sizeBytes + slackBytes) / 64) * 64;
    if (end > bytes.length) {
      memory.grow(Math.ceil((end - bytes.length) / pageBytes));
      bytes = new Uint8Array(memory.buffer);
      words = new Int32Array(memory.buffer);
    }
    return from;
  };
  const state = take(128);
  const key = randomBytes(8);
  key[0]! |= 1;
  bytes.set(key, state + readerWords.key * 4);
  const powers = take(powersBytes);
  writePowers(new DataView(memory.buffer, powers, powersBytes));
  words[state / 4 + readerWords.powers] = powers;
  return {
    get bytes() {
      return bytes;
    },
    get words() {
      return words;
    },
    state,
    take,
    readCsvRecords,
    internCsvText,
  };
}

const exactPower = 22;
const largestPower = 64;
const powersBytes = (exactPower + 1) * 8 + (largestPower + 1) * 16;
/** The kernel reads numbers of at most 19 digits, so it needs no other powers. */
const mostScale = 19;

/**
 * Writes the table with which the kernel scales decimals: the doubles 10^0 to 10^22, then the first 128 bits of 5^-64
 * to 5^0, high half first, rounded up (D. Lemire, "Number parsing at a gigabyte per second", 2021).
 */
function writePowers(table: DataView): void {
  for (let power = 0; power <= exactPower; power++)
    table.setFloat64(power * 8, Number(`1e${power}`), true);
  for (let power = -mostScale; power < 0; power++) {
    const five = 5n ** BigInt(-power);
    const first = (1n << (BigInt(five.toString(2).length) + 127n)) / five + 1n;
    const at = (exactPower + 1) * 8 + (power + largestPower) * 16;
    table.setBigUint64(at, first >> 64n, true);
    table.setBigUint64(at + 8, first & 0xffff_ffff_ffff_ffffn, true);
  }
  // 5^0 is 1: its first bit.
  table.setBigUint64((exactPower + 1) * 8 + largestPower * 16, 1n << 63n, true);
}
