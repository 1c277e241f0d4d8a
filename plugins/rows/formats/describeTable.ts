import type { Column } from "../../protocol/index.ts";
import { columnForms } from "./columnForms.ts";
import { createDetector, type DetectedColumn, type SeenValues } from "./detectColumns.ts";
import type { FileTable, NumberSubtype, ReadOptions } from "./fileTable.ts";
import { findLongNumbers } from "./longNumbers.ts";

/** The columns of a file, with remarks about their types. */
export interface DescribedTable {
  readonly columns: readonly Column[];
  /** What was seen in the sampled values of each column, in the order of `columns`. */
  readonly seen: readonly SeenValues[];
  /** Number of rows. Absent if only some of the rows were read. */
  readonly rows?: number;
  /** Remarks to show to users. */
  readonly notes: readonly string[];
  /** The settings with which the file is read, detected ones included. Absent if its format needs none. */
  readonly found?: Readonly<Record<string, unknown>>;
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
  const detector = createDetector(
    columns.map((column) => {
      const { spellsNumbers = textsSpellNumbers } = column;
      const type = settings.types.get(column.id)?.type ?? column.type;
      const forms = columnForms(column, settings);
      return { forms, spellsNumbers, ...(type !== undefined && { type }) };
    }),
  );
  const isTyped = columns.every(({ type }) => type !== undefined);
  const isKnown = isTyped && !columns.some(({ isWhole }) => isWhole);
  const longNumbers = findLongNumbers(columns);
  const wanted = columns.map((_, index) => index);
  let isWhole = true;
  for await (const block of table.rows(wanted, [], signal)) {
    detector.add(block);
    longNumbers.add(block);
    // Columns with a known type are read only to collect samples.
    isWhole = !isKnown && readBytes() <= sampleBytes;
    if (!isWhole) break;
  }
  const found = detector.columns();
  const subtypes = table.numberSubtypes?.() ?? [];
  const rowCount = table.rowCount ?? (isWhole ? detector.rowCount : undefined);
  const detected = columns.flatMap(({ id, type, remark }, index) => {
    const long = longNumbers.reasonOf(index);
    if (long !== undefined && !settings.types.has(id))
      return [`${JSON.stringify(id)}: it is text: ${long}`];
    const reason = found[index]?.note;
    if (type !== undefined || settings.types.has(id)) return [];
    const isNumeric = found[index]?.type === "numeric";
    const form = found[index]?.seen.form ?? "";
    const isUsual = usualForms.test(form) || reason !== undefined;
    return [
      ...(reason === undefined ? [] : [reason]),
      ...(isUsual ? [] : [`read as ${form}`]),
      ...(isNumeric && remark !== undefined ? [remark] : []),
    ].map((each) => `${JSON.stringify(id)}: ${each}`);
  });
  return {
    columns: columns.map(({ id, ...own }, index) => {
      const declared: Pick<Column, "type" | "subtype"> | undefined = settings.types.get(id);
      const { type, subtype } =
        declared ??
        (longNumbers.reasonOf(index) === undefined
          ? typeOf(own, found[index], subtypes[index])
          : { type: "hierarchy" as const });
      const samples = found[index]?.samples ?? [];
      return { id, name: { en: id }, type, ...(subtype && { subtype }), samples: [...samples] };
    }),
    seen: found.map(({ seen }) => seen),
    ...(table.found && { found: table.found }),
    ...(rowCount !== undefined && { rows: rowCount }),
    notes: [
      ...table.notes,
      ...(isTyped ? [] : [sampleNote(detector.rowCount, isWhole)]),
      ...detected,
    ],
  };
}

/** Forms that need no remark. */
const usualForms = /^(?:text|numbers|true or false|dates(?: and times)?(?: as ISO 8601)?)?$/;

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
