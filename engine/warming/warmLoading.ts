import { Column } from "../column/column.ts";
import { packTexts } from "../column/texts/packTexts.ts";
import type { SavedColumn } from "../column/savedColumn.ts";
import {
  createNullSegment,
  readSegment,
  segmentRecordDoubles,
  writeSegment,
  type FloatWidth,
  type Segment,
  type StoredValues,
  type StoredWidth,
} from "../column/segment/segment.ts";
import { emptySummary } from "../column/segment/summary.ts";
import { hashTexts } from "../column/texts/hashTexts.ts";
import { Memory } from "../memory/memory.ts";

const roundCount = 16;
const rowGroupCount = 200;
/**
 * Number of rows. It is far smaller than a row group, because the number of calls matters for warming, not the number
 * of bytes.
 */
const rowCount = 64;
const widths = [1, 2, 3, 4] as const;
const packed = packTexts(Array.from({ length: 100 }, (_, index) => `text ${index}`));
const texts = { ...packed, hashes: hashTexts(packed.bytes, packed.ends) };

/**
 * Loads and evicts columns that have no file. Repeats this until V8 has optimized the code that the first query after
 * opening runs for each row group. Uses a few hundred KB of memory while it runs, and takes about 20 ms.
 * @throws {EngineError} STORE_OUT_OF_MEMORY
 */
export async function warmLoading(
  isFree: () => Promise<boolean>,
  memory: Memory = new Memory({ budgetBytes: 2 ** 22 }),
): Promise<void> {
  const columns = (["text", "datetime", "number"] as const).map(
    (type) => new Column({ name: type, type }, memory, [], openSaved(type === "datetime")),
  );
  try {
    for (let round = 0; round < roundCount && (await isFree()); round++) {
      await Promise.all(
        columns.flatMap((column) => [column.load("values"), column.load("dictionary")]),
      );
      for (const column of columns) column.evict();
    }
  } finally {
    for (const column of columns) column.close();
  }
}

/** Returns a column with segments of all widths: days and times, or whole numbers and floats. */
function openSaved(hasTimes: boolean): SavedColumn {
  const records = new Float64Array(rowGroupCount * segmentRecordDoubles);
  let end = 0;
  const place = <Width extends StoredWidth | FloatWidth>(width: Width): StoredValues<Width> => {
    const offset = end;
    end += rowCount * width;
    return { arena: 0, offset, width };
  };
  const recordAt = (index: number) =>
    records.subarray(index * segmentRecordDoubles, (index + 1) * segmentRecordDoubles);
  const zone = createNullSegment(rowCount);
  const segmentOf = (width: StoredWidth | undefined): Segment => {
    if (width === undefined) return { ...zone, form: "float", values: place(8) };
    const values = place(width);
    return hasTimes
      ? { ...zone, form: "dayTime", values, times: place(4), bias: 0, timeScale: 1 }
      : { ...zone, form: "whole", values, bias: 0, scale: 1 };
  };
  const segmentWidths = hasTimes ? widths : [...widths, undefined];
  for (let index = 0; index < rowGroupCount; index++)
    writeSegment(recordAt(index), segmentOf(segmentWidths[index % segmentWidths.length]));
  return {
    rowGroupCount,
    summary: emptySummary,
    textCount: texts.ends.length,
    textBytes: texts.bytes.length,
    readSegments: () =>
      Promise.resolve(
        Array.from({ length: rowGroupCount }, (_, index) => ({
          segment: readSegment(recordAt(index)),
          crc32: 0,
        })),
      ),
    readValues: () => Promise.resolve(),
    readTexts: (into) => Promise.resolve(void into.merge(texts)),
  };
}
