import { openSealMemory } from "../column/seal/sealMemory.ts";
import { rowGroupSize } from "../column/segment/segment.ts";
import type { EncodedBatch } from "../column/encodedBatch.ts";
import type { EncodedBatchColumn } from "../column/encodedBatchColumn.ts";
import { sealBatch } from "./seal/sealBatch.ts";

const rowCount = 8192;
/**
 * Numbers of calls after which V8 has optimized a loop over `rowCount` rows: `byRow` is for loops with one row per
 * iteration, `byBlock` for loops with several rows per iteration. Measured with Node 26, with a margin.
 */
const calls = { byRow: 60, byBlock: 250 } as const;
const batchCount = 4;
const dayMs = 86_400_000;

/**
 * Seals small generated data in the forms that are usual in files. Repeats this until V8 has optimized the code, so
 * that the first file is not slow. The threads share the compiled kernels.
 */
export function warmSealing(): void {
  warmSealers();
  const batch = sealedOften();
  for (let round = 0; round < batchCount; round++)
    sealBatch(batch, rowGroupSize - rowCount / 2 + round);
}

function repeat(call: () => void, count: number = calls.byRow): void {
  for (let index = 0; index < count; index++) call();
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
    columns: columns.map((column) => ({ ...column, isDate: false, isEmpty: false })),
  };
}
