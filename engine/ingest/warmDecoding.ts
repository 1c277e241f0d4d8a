import { openSealMemory } from "../column/seal/sealMemory.ts";
import { rowGroupSize } from "../column/segment/segment.ts";
import { openDecodeMemory, type DecodeMemory } from "./decode/decodeMemory.ts";
import type { EncodedBatch } from "../column/encodedBatch.ts";
import type { EncodedBatchColumn } from "../column/encodedBatchColumn.ts";
import { sealBatch } from "./seal/sealBatch.ts";
import { TextReader, type TextPlaces } from "./decode/textReader.ts";

const rowCount = 8192;
/**
 * Numbers of calls after which V8 has optimized a loop over `rowCount` rows: `byRow` is for loops with one row per
 * iteration, `byBlock` for loops with several rows per iteration. Measured with Node 26, with a margin.
 */
const calls = { byRow: 60, byBlock: 250 } as const;
const textRounds = 20;
const batchCount = 4;
const textBytes = 12;
const dayMs = 86_400_000;

/**
 * Decodes and seals small generated data in the forms that are usual in files. Repeats this until V8 has optimized the
 * code, so that the first file is not slow. The threads share the compiled kernels. Costs about 50 ms.
 */
export function warmDecoding(): void {
  const memory = openDecodeMemory();
  warmReaders(memory);
  warmTexts(memory);
  warmDecompressing(memory);
  warmSealers();
  memory.clear();
  const batch = sealedOften();
  for (let round = 0; round < batchCount; round++) sealBatch(batch, round);
}

function repeat(call: () => void, count: number = calls.byRow): void {
  for (let index = 0; index < count; index++) call();
}

/** Warms the readers of plain values, with zeros, which are valid values of every type. */
function warmReaders({ decoders, takeZeros, take, bytes }: DecodeMemory): void {
  const zeros = takeZeros(rowCount * 8);
  const levels = take(rowCount);
  bytes(levels, rowCount).fill(1);
  const to = take(rowCount * 8);
  for (const read of [
    decoders.readFloat32,
    decoders.readFloat64,
    decoders.readInt32,
    decoders.readInt64,
    decoders.readMilliseconds,
    decoders.readMicroseconds,
    decoders.readNanoseconds,
    decoders.readDays,
  ])
    repeat(() => read(zeros, 0, rowCount, to));
  repeat(() => decoders.gatherDoubles(zeros, 1, zeros, 0, rowCount, to));
  repeat(() => decoders.spreadDoubles(zeros, levels, rowCount, to));
  repeat(() => decoders.spreadCodes(zeros, levels, rowCount, to));
  repeat(() => decoders.expandBits(zeros, 0, rowCount, to));
  repeat(() => decoders.countLevels(levels, rowCount));
  const packed = takeZeros(4 + rowCount * 4);
  // A single run of packed bits, in groups of eight.
  const header = ((rowCount / 8) << 1) | 1;
  bytes(packed, 2).set([(header & 0x7f) | 0x80, header >>> 7]);
  for (const width of [3, 8, 12, 16])
    repeat(
      () => decoders.unpackIndices(packed, packed + 4 + rowCount * 4, width, rowCount, to),
      calls.byBlock,
    );
  repeat(() => decoders.unpackLevels(packed, packed + 4 + rowCount, rowCount, to), calls.byBlock);
}

/** Warms the readers of strings, in the forms of Parquet and Arrow. Most strings appear twice. */
function warmTexts(memory: DecodeMemory): void {
  const { decoders, take, takeZeros, words } = memory;
  const stride = 4 + textBytes;
  const sizeBytes = rowCount * stride;
  const source = takeZeros(sizeBytes);
  for (let row = 0; row < rowCount; row++) {
    const text = words(source + row * stride, stride / 4);
    text[0] = textBytes;
    const number = row % Math.ceil(rowCount * 0.6);
    // The word contains two ASCII characters.
    text[1] = (number & 0x7f) | ((number >>> 7) << 8);
  }
  const starts = take(rowCount * 4);
  const ends = take(rowCount * 4);
  const offsets = takeZeros((rowCount + 1) * 4);
  const indices = memory.place(
    Int32Array.from({ length: rowCount }, (_, row) => (row * 7) % rowCount),
  );
  const codes = take(rowCount * 4);
  const places: TextPlaces = { source, sizeBytes, starts, ends };
  repeat(() => decoders.placeTexts(offsets, rowCount, sizeBytes, 0, starts, ends));
  repeat(() => decoders.splitByteArrays(source, sizeBytes, 0, rowCount, starts, ends));
  const end = memory.keep();
  for (let round = 0; round < textRounds; round++) {
    memory.clear(end);
    const reader = new TextReader(memory, "", "");
    reader.read(places, 0, rowCount, codes);
    reader.readIndexed(places, takeZeros(rowCount * 4), rowCount, indices, 0, rowCount);
    reader.finish(words(codes, rowCount));
  }
  memory.clear(end);
}

/** Warms decompression, with blocks of eight bytes that appear twice. */
function warmDecompressing(memory: DecodeMemory): void {
  const { decoders, place, take } = memory;
  const pairCount = rowCount / 16;
  const literals = [1, 2, 3, 4, 5, 6, 7, 8];
  const repeatedBytes = pairCount * 16;
  const lz4 = place(
    Uint8Array.from([
      ...Array.from({ length: pairCount }, () => [0x84, ...literals, 8, 0]).flat(),
      0x80,
      ...literals,
    ]),
  );
  const sizeBytes = repeatedBytes + literals.length;
  const to = take(sizeBytes);
  const lz4End = lz4 + pairCount * 11 + 9;
  repeat(() => decoders.decompressLz4(lz4, lz4End, to, to, to + sizeBytes));
  const snappy = place(
    Uint8Array.from([
      (repeatedBytes & 0x7f) | 0x80,
      repeatedBytes >>> 7,
      ...Array.from({ length: pairCount }, () => [7 << 2, ...literals, (4 << 2) | 1, 8]).flat(),
    ]),
  );
  const snappyEnd = snappy + 2 + pairCount * 11;
  repeat(() => decoders.decompressSnappy(snappy, snappyEnd, to, to + repeatedBytes));
}

/** Warms sealing, and also unsealing, which the main thread uses to merge sealed rows. */
function warmSealers(): void {
  const memory = openSealMemory();
  const { sealers, valuesAt, wordsAt, timesAt, sealedAt, storedAt, resultsAt } = memory;
  const often = (call: () => void) => repeat(call, calls.byBlock);
  memory.values.fill(1);
  memory.words.fill(1);
  const table = memory.placeTable(new Int32Array(1));
  for (const width of [1, 2, 3, 4] as const) {
    often(() => sealers.sealWhole[width](valuesAt, rowCount, 1, 0, 1, sealedAt));
    often(() => sealers.unsealWhole[width](storedAt, rowCount, 0, 1, 1, valuesAt));
    repeat(() => sealers.sealWords[width](wordsAt, rowCount, sealedAt));
  }
  often(() => sealers.zoneNumbers(valuesAt, rowCount, 0, resultsAt));
  often(() => sealers.zoneCodes(wordsAt, rowCount, resultsAt));
  often(() => sealers.sumScaled(valuesAt, rowCount, 1, resultsAt));
  often(() => sealers.shareStep(valuesAt, rowCount, 1, 0, 1));
  often(() => sealers.splitDayTime(valuesAt, rowCount, 0, sealedAt, timesAt));
  often(() => sealers.divideWords(wordsAt, rowCount, 1));
  repeat(() => sealers.shareStepWords(wordsAt, rowCount, 1));
  repeat(() => sealers.translateWords(wordsAt, rowCount, table));
  repeat(() => sealers.joinDayTimes(wordsAt, timesAt, rowCount, 0, 1, valuesAt));
  memory.words.fill(0);
  often(() => sealers.nextWords(wordsAt, rowCount));
}

/**
 * Returns a batch that has one column for each form of segments. In all columns but the first, every fifth value is
 * null.
 */
function sealedOften(): EncodedBatch {
  const numbers = (valueOf: (row: number) => number) =>
    Float64Array.from({ length: rowCount }, (_, row) => (row % 5 === 0 ? NaN : valueOf(row)));
  const fileOf: readonly [EncodedBatchColumn["type"], (row: number) => number][] = [
    ["number", (row) => row % 100],
    ["number", (row) => row],
    ["number", (row) => row * 1000 + (row % 7)],
    ["number", (row) => row * 300_000 + 1],
    ["number", (row) => row / 100],
    ["number", (row) => row / 7],
    ["number", (row) => row / 8 + 2 ** 40],
    ["datetime", (row) => row * dayMs],
    ["datetime", (row) => row * 1000],
    ["datetime", (row) => row * dayMs + row],
  ];
  const columns = fileOf.map(([type, valueOf], index) => ({
    name: `${index}`,
    column: { type, values: numbers(valueOf) } as EncodedBatchColumn,
  }));
  for (const textCount of [10, 1000]) {
    const bytes = new Uint8Array(textCount * 4);
    const ends = Int32Array.from({ length: textCount }, (_, code) => code * 4 + 4);
    const codes = Int32Array.from({ length: rowCount }, (_, row) => (row % textCount) - 1);
    const texts = { bytes, ends, hashes: ends, hasLoneSurrogates: false };
    columns.push({ name: `texts ${textCount}`, column: { type: "text", codes, texts } });
  }
  return {
    rowCount,
    firstRow: rowGroupSize - rowCount / 2,
    columns: columns.map((column) => ({ ...column, isDate: false, isEmpty: false })),
  };
}
