import type { Column, DataType, Filter } from "../../protocol/index.ts";
import type { ValueForms } from "../readValue.ts";
import type { RowBlock } from "../rowDriver.ts";
import type { ByteSource } from "./byteSource.ts";
import type { ColumnSink } from "./columnSink.ts";
import type { FileNote } from "./fileNote.ts";
import type { Format } from "./formats.ts";
import type { Settings } from "./settings.ts";
import type { UnpackBudget } from "./unpackBudget.ts";

/** A column as declared by a format. */
export interface FileColumn {
  readonly id: string;
  /** Type of the column. Absent if the format does not declare types. */
  readonly type?: DataType;
  readonly subtype?: Column["subtype"];
  /** Whether the column is numeric only if its sample has no whole number beyond 2^53, and otherwise text. */
  readonly isWhole?: boolean;
  /** The forms of the column's strings, if the format detects them. */
  readonly forms?: ValueForms;
  /** Whether strings of the column may represent numbers. Absent: as in other columns of the table. */
  readonly spellsNumbers?: boolean;
  /** What could be wrong about the detected forms. */
  readonly caution?: Pick<FileNote, "message" | "remedies">;
}

/** The subtype of a numeric column, as the formats of its cells show. */
export type NumberSubtype = "currency" | "duration";

/** The rows of a file, or of one sheet. */
export interface FileTable {
  readonly sheet?: string;
  readonly columns: readonly FileColumn[];
  /** Whether strings may represent numbers. */
  readonly textsSpellNumbers: boolean;
  /** Notes for people. A string is a remark about the table, without remedies. */
  readonly notes: readonly (FileNote | string)[];
  /**
   * Returns the subtype of each column whose values are numbers, as the rows that were read so far show. Absent: none.
   */
  numberSubtypes?(): readonly (NumberSubtype | undefined)[];
  /** The settings with which the file is read, detected ones included. Absent if the format needs none. */
  readonly found?: Readonly<Record<string, unknown>>;
  /** Number of rows. Absent if the format does not state it. */
  readonly rowCount?: number;
  /** Reads the cells of the columns with these indexes. May omit rows that cannot pass `filters`. */
  rows(
    wanted: readonly number[],
    filters: readonly Filter[],
    signal: AbortSignal,
  ): AsyncIterable<RowBlock>;
  /**
   * Writes the wanted columns of the same rows to a sink, without a JavaScript value per cell. Absent: the cells are
   * read by `rows`.
   */
  writeColumns?(sink: ColumnSink, filters: readonly Filter[], signal: AbortSignal): Promise<void>;
}

/** The file that a format reader opens, the columns that the caller wants, and the limits. */
export interface ReadOptions {
  readonly source: ByteSource;
  readonly format: Format;
  readonly settings: Settings;
  /** Maximum number of bytes from which types are detected. */
  readonly sampleBytes: number;
  readonly signal: AbortSignal;
  /** Counts the decompressed bytes of the file during this call. */
  readonly budget: UnpackBudget;
  /** Name of the only sheet that the caller wants. Absent: all sheets. */
  readonly sheet?: string;
  /** The columns that the caller wants. Absent: the reader determines the columns. */
  readonly known?: readonly Pick<FileColumn, "id">[];
}

/** Opens the tables of a file. */
export type OpenTables = (options: ReadOptions) => Promise<readonly FileTable[]>;
