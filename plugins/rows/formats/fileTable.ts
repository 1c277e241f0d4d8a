import type { DataType, Filter } from "../../protocol/index.ts";
import type { RowBlock } from "../rowDriver.ts";
import type { ByteSource } from "./byteSource.ts";
import type { Format } from "./formats.ts";
import type { Settings } from "./settings.ts";
import type { UnpackBudget } from "./unpackBudget.ts";

/** A column as a format has it. */
export interface FileColumn {
  readonly id: string;
  /** Absent where the values alone say it. */
  readonly type?: DataType;
  readonly subtype?: "date";
}

/** The rows of a file, or of a sheet of it. */
export interface FileTable {
  readonly sheet?: string;
  readonly columns: readonly FileColumn[];
  /** Texts may spell numbers. */
  readonly textsSpellNumbers: boolean;
  /** For people. */
  readonly notes: readonly string[];
  /** Where the format says it. */
  readonly rowCount?: number;
  /** Reads the cells of some columns, by their index. Rows that cannot pass `filters` may be left out. */
  rows(
    wanted: readonly number[],
    filters: readonly Filter[],
    signal: AbortSignal,
  ): AsyncIterable<RowBlock>;
}

/** Input of a reader of a format. */
export interface ReadOptions {
  readonly source: ByteSource;
  readonly format: Format;
  readonly settings: Settings;
  /** Most bytes in which types are looked for. */
  readonly sampleBytes: number;
  readonly signal: AbortSignal;
  /** Counts what the file unpacks to in this call. */
  readonly budget: UnpackBudget;
  /** The columns that a caller asks for; without them the reader finds out which there are. */
  readonly known?: readonly Pick<FileColumn, "id">[];
}

/** Opens the tables of a file. */
export type OpenTables = (options: ReadOptions) => Promise<readonly FileTable[]>;
