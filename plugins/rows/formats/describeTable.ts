import type { Column } from "../../protocol/index.ts";
import type { RowBlock } from "../rowDriver.ts";
import { columnForms } from "./columnForms.ts";
import { createDetector, type DetectedColumn, type SeenValues } from "./detectColumns.ts";
import { remark, type FileNote } from "./fileNote.ts";
import type { FileTable, NumberSubtype, ReadOptions } from "./fileTable.ts";
import { findLongNumbers } from "./longNumbers.ts";

/** The columns of a file, with remarks about their types. */
export interface DescribedTable {
  readonly columns: readonly Column[];
  /** What was seen in the sampled values of each column, in the order of `columns`. */
  readonly seen: readonly SeenValues[];
  /** Number of rows. Absent if only some of the rows were read. */
  readonly rows?: number;
  readonly notes: readonly FileNote[];
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
      return { id: column.id, forms, spellsNumbers, ...(type !== undefined && { type }) };
    }),
  );
  const isTyped = columns.every(({ type }) => type !== undefined);
  const areDeclared = columns.every(({ id }) => settings.types.has(id));
  const isKnown = isTyped && !columns.some(({ isWhole }) => isWhole);
  const longNumbers = findLongNumbers(columns);
  const wanted = columns.map((_, index) => index);
  let isWhole = true;
  let last: RowBlock | undefined;
  for await (const block of table.rows(wanted, [], signal)) {
    if (block.rows.length > 0) last = block;
    detector.add(block);
    longNumbers.add(block);
    // Columns with a known type are read only to collect samples.
    isWhole = !isKnown && readBytes() <= sampleBytes;
    if (!isWhole) break;
  }
  const found = detector.columns();
  const subtypes = table.numberSubtypes?.() ?? [];
  const rowCount = table.rowCount ?? (isWhole ? detector.rowCount : undefined);
  const detected = columns.flatMap(({ id, type, caution }, index): readonly FileNote[] => {
    const long = longNumbers.reasonOf(index);
    if (long !== undefined && !settings.types.has(id))
      return [{ kind: "doubt", column: id, message: `it is text: ${long}` }];
    const doubt = found[index]?.doubt;
    if (type !== undefined || settings.types.has(id)) return [];
    const isNumeric = found[index]?.type === "numeric";
    const form = found[index]?.seen.form ?? "";
    const isUsual = usualForms.test(form) || doubt !== undefined;
    return [
      ...(doubt ? [{ kind: "doubt", column: id, ...doubt } as const] : []),
      ...(isUsual ? [] : [{ kind: "form", column: id, message: `read as ${form}` } as const]),
      ...[isNumeric ? caution : undefined, found[index]?.caution].flatMap((each) =>
        each ? [{ kind: "remark", column: id, ...each } as const] : [],
      ),
    ];
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
      ...table.notes.map((note) => (typeof note === "string" ? remark(note) : note)),
      ...(isTyped || areDeclared ? [] : [sampleNote(detector.rowCount, isWhole)]),
      ...detected,
      ...(isWhole && !isTyped && last ? totalNotes(last) : []),
    ],
  };
}

/** How the labels of totals begin, in the languages in which spreadsheets are common. */
const totalLabel =
  /^(?:grand |sub)?(?:total|totals|totaux|totale|totali|totais|totaal|summe|gesamt|gesamtsumme|insgesamt|somme|suma|soma|summa|sum|razem|celkem|toplam|yhteens\u00e4|i alt|\u0438\u0442\u043e\u0433\u043e|\u0432\u0441\u0435\u0433\u043e|\u5408\u8a08|\u5408\u8ba1|\ud569\uacc4)(?: general| g\u00e9n\u00e9ral)?\s*:?$/i;

/** Returns a remark about a last row that looks like a total, which sums would count twice. */
function totalNotes({ rows, placeOf }: RowBlock): readonly FileNote[] {
  const index = rows.length - 1;
  const label = rows[index]?.find((cell) => typeof cell === "string" && cell.trim() !== "");
  if (typeof label !== "string" || !totalLabel.test(label.trim())) return [];
  return [
    remark(
      `${placeOf(index)} looks like a total of the rows above (${JSON.stringify(label.slice(0, 40).toWellFormed())}); remove it ` +
        "from the file or filter it out, because sums count its values twice",
    ),
  ];
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

function sampleNote(rowCount: number, isWhole: boolean): FileNote {
  const count = rowCount.toLocaleString("en");
  if (isWhole) return { kind: "sample", message: `the types were detected from all ${count} rows` };
  return {
    kind: "sample",
    message: `the types were detected from the first ${count} rows; set sample to whole to use all rows`,
    remedies: [{ setting: "sample", value: "whole" }],
  };
}
