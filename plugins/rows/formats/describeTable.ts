import type { Column } from "../../protocol/index.ts";
import { createDetector, type DetectedColumn } from "./detectColumns.ts";
import type { FileTable, NumberSubtype, ReadOptions } from "./fileTable.ts";

/** The columns of a file, with remarks about their types. */
export interface DescribedTable {
  readonly columns: readonly Column[];
  /** Number of rows. Absent if only some of the rows were read. */
  readonly rows?: number;
  /** Remarks to show to users. */
  readonly notes: readonly string[];
}

/**
 * Describes the columns of a table. A type comes from the account's declarations if possible, otherwise from the
 * format, otherwise from the values. Of a large file, only the first rows are read; a note says which rows were used.
 * `readBytes` returns the number of bytes read so far.
 */
export async function describeTable(
  table: FileTable,
  { settings, sampleBytes, signal }: ReadOptions,
  readBytes: () => number,
): Promise<DescribedTable> {
  const { columns, textsSpellNumbers } = table;
  const detector = createDetector({
    columnCount: columns.length,
    forms: settings.forms,
    textsSpellNumbers,
  });
  const isTyped = columns.every(({ type }) => type !== undefined);
  const wanted = columns.map((_, index) => index);
  let isWhole = true;
  for await (const block of table.rows(wanted, [], signal)) {
    detector.add(block);
    // Columns with a known type are read only to collect samples.
    isWhole = !isTyped && readBytes() <= sampleBytes;
    if (!isWhole) break;
  }
  const found = detector.columns();
  const subtypes = table.numberSubtypes?.() ?? [];
  const rowCount = table.rowCount ?? (isWhole ? detector.rowCount : undefined);
  const detected = columns.flatMap(({ id, type }, index) => {
    const reason = found[index]?.note;
    const isFound = type === undefined && !settings.types.has(id);
    return isFound && reason !== undefined ? [`${JSON.stringify(id)}: ${reason}`] : [];
  });
  return {
    columns: columns.map(({ id, ...own }, index) => {
      const { type, subtype } =
        settings.types.get(id) ?? typeOf(own, found[index], subtypes[index]);
      const samples = found[index]?.samples ?? [];
      return { id, name: { en: id }, type, ...(subtype && { subtype }), samples: [...samples] };
    }),
    ...(rowCount !== undefined && { rows: rowCount }),
    notes: [
      ...table.notes,
      ...(isTyped ? [] : [sampleNote(detector.rowCount, isWhole)]),
      ...detected,
    ],
  };
}

function typeOf(
  own: Pick<FileTable["columns"][number], "type" | "subtype">,
  found: DetectedColumn | undefined,
  numberSubtype: NumberSubtype | undefined,
): Pick<Column, "type" | "subtype"> {
  if (own.type) return { type: own.type, ...(own.subtype && { subtype: own.subtype }) };
  if (found?.type === "numeric" && numberSubtype)
    return { type: "numeric", subtype: numberSubtype };
  return { type: found?.type ?? "hierarchy", ...(found?.subtype && { subtype: found.subtype }) };
}

function sampleNote(rowCount: number, isWhole: boolean): string {
  const count = rowCount.toLocaleString("en");
  return isWhole
    ? `the types were detected from all ${count} rows`
    : `the types were detected from the first ${count} rows; set sample to whole to use all rows`;
}
