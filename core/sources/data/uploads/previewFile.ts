import type { Batch, BatchColumn, Column } from "../../../../plugins/protocol/index.ts";
import type { FileNote, Remedy } from "../../../../plugins/rows/formats/index.ts";
import { ApiError } from "../../../base/index.ts";
import { describeFile, type UploadedFile } from "./fileOnDisk.ts";
import type { FileSettings } from "./fileSettings.ts";

/** A column of a file, as it would be stored. */
export interface PreviewedColumn {
  /** Id of the column of the dataset to which the rows would be added; absent for new columns. */
  readonly id?: string;
  /** Type of that column. Values of the file are converted to it. */
  readonly stored_type?: Column["type"];
  /** Name of the column in the file. */
  readonly name: string;
  readonly type: Column["type"];
  readonly subtype: string | null;
  /** Why the type is not what most values are; null if there is no doubt. */
  readonly note: string | null;
  /** The values in the rows that were read. */
  readonly seen: SeenValues;
  /** The first distinct values, as strings. */
  readonly samples: readonly string[];
}

/** Counts of the values of a column, in the rows that were read. */
export interface SeenValues {
  readonly rows: number;
  readonly values: number;
  readonly nulls: number;
  /** The smallest and largest number, or instant in ISO 8601; null for strings, and for columns without values. */
  readonly minimum: number | string | null;
  readonly maximum: number | string | null;
  /** The form of the values in the sample, such as `dates as day/month/year`. */
  readonly form: string;
  /** Number of values in the sample that do not have this form. */
  readonly misfit_count: number;
  /** The first of these values, with their places. */
  readonly misfits: readonly object[];
}

/** How a file would be stored, or why it cannot be stored. */
export interface FilePreview {
  readonly valid: boolean;
  /** What is wrong, what is allowed and what to do. Absent if the file can be stored. */
  readonly message?: string;
  readonly validation?: object;
  /** Settings that can correct what is wrong. Absent if the file can be stored. */
  readonly remedies?: readonly object[];
  readonly columns: readonly PreviewedColumn[];
  /** The first rows, as they would be stored. */
  readonly rows: readonly (readonly (string | number | null)[])[];
  /** The settings with which the file was read. */
  readonly settings: FileSettings;
  readonly notes: readonly PresentedNote[];
  readonly sheets?: readonly string[];
}

/** A note, as the API presents it. */
export interface PresentedNote {
  readonly kind: FileNote["kind"];
  /** The column that the note is about, by its name in the file; null if it is about the file. */
  readonly column: string | null;
  readonly message: string;
  readonly remedies: readonly Remedy[];
}

/** Presents a note with all its members. */
export function presentNote({ kind, column, message, remedies = [] }: FileNote): PresentedNote {
  return { kind, column: column ?? null, message, remedies };
}

/** Number of rows in a preview. */
const shownRows = 50;
/** Number of rows after which counting ends. Only files that are sent completely have more. */
const countedRows = 200_000;
const previewMs = 60_000;
/** Statuses of errors that say what is wrong with the file or the settings. */
const reported = [400, 422];

/** Reads the start of a file and returns its columns and first rows. Stores nothing. */
export async function previewFile(file: UploadedFile, signal: AbortSignal): Promise<FilePreview> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(previewMs)]);
  let found: Omit<FilePreview, "valid"> = {
    columns: [],
    rows: [],
    settings: file.settings,
    notes: [],
  };
  try {
    const table = await describeFile(file, until);
    const { columns, notes, sheets, settings } = table;
    const counts = columns.map(() => createCount());
    const rows: (string | number | null)[][] = [];
    const present = (): Omit<FilePreview, "valid"> => ({
      columns: columns.map((column, index) => ({
        name: column.id,
        type: column.type,
        subtype: column.subtype ?? null,
        note: notes.find((note) => note.column === column.id)?.message ?? null,
        seen: {
          ...presentCount(counts[index] ?? createCount(), column),
          form: table.seen[index]?.form ?? "",
          misfit_count: table.seen[index]?.misfitCount ?? 0,
          misfits: table.seen[index]?.misfits ?? [],
        },
        samples: column.samples ?? [],
      })),
      rows,
      settings,
      notes: notes.map(presentNote),
      ...(sheets && { sheets }),
    });
    found = present();
    let rowCount = 0;
    const types = columns.map(({ type }) => type);
    for await (const { rows: batch } of table.read(types, until)) {
      columns.forEach((_, index) => count(counts[index], batch.columns[index]));
      for (let row = 0; row < batch.rowCount && rows.length < shownRows; row++)
        rows.push(columns.map((column, index) => cellOf(batch, index, row, column)));
      rowCount += batch.rowCount;
      found = present();
      if (rowCount >= countedRows) break;
    }
    return { valid: true, ...found };
  } catch (failure) {
    if (!(failure instanceof ApiError) || !reported.includes(failure.status)) throw failure;
    const { message, validation = {}, remedies = [] } = failure;
    return { valid: false, message, validation, remedies, ...found };
  }
}

interface Count {
  rows: number;
  nulls: number;
  minimum: number;
  maximum: number;
}

const createCount = (): Count => ({ rows: 0, nulls: 0, minimum: Infinity, maximum: -Infinity });

function count(counted: Count | undefined, column: BatchColumn | undefined): void {
  if (!counted || !column) return;
  if (column.type === "hierarchy") {
    for (const code of column.codes) if (code < 0) counted.nulls++;
    counted.rows += column.codes.length;
    return;
  }
  for (const value of column.values) {
    if (Number.isNaN(value)) counted.nulls++;
    if (value < counted.minimum) counted.minimum = value;
    if (value > counted.maximum) counted.maximum = value;
  }
  counted.rows += column.values.length;
}

function presentCount(
  { rows, nulls, minimum, maximum }: Count,
  column: Column,
): Omit<SeenValues, "form" | "misfit_count" | "misfits"> {
  const limit = (value: number) => (minimum <= maximum ? presentNumber(value, column) : null);
  return {
    rows,
    values: rows - nulls,
    nulls,
    minimum: limit(minimum),
    maximum: limit(maximum),
  };
}

function cellOf(
  { columns }: Batch,
  index: number,
  row: number,
  described: Column,
): string | number | null {
  const column = columns[index];
  if (!column) return null;
  if (column.type === "hierarchy") return column.dictionary[column.codes[row] ?? -1] ?? null;
  const value = column.values[row] ?? Number.NaN;
  return Number.isNaN(value) ? null : presentNumber(value, described);
}

/** Presents a number, or an instant in ISO 8601. */
function presentNumber(value: number, { type, subtype }: Column): number | string {
  if (type !== "datetime") return value;
  const instant = new Date(value);
  if (Number.isNaN(instant.getTime())) return value;
  const text = instant.toISOString();
  return subtype === "date" ? text.slice(0, text.indexOf("T")) : text;
}
