import type { Column } from "../../column/column.ts";
import { rowGroupSize } from "../../column/segment/segment.ts";
import { writeFailed } from "../../files/writeFailed.ts";
import type { Files } from "../../files/files.ts";
import { SegmentFile } from "../../files/segmentFile.ts";
import { releasePieces } from "../../files/releasePieces.ts";
import type { TableLog } from "../../files/tableLog.ts";
import type { Memory } from "../../memory/memory.ts";
import { listDeletedRows } from "../../table/deletedRows.ts";
import { readBatchColumn } from "../../table/readBatchColumn.ts";
import type { Table, TableChange } from "../../table/table.ts";
import type { BatchColumn } from "../../types.ts";
import type { Generations } from "./generations.ts";
import type { Residency } from "../residency/residency.ts";
import { writeSegments } from "./writeSegments.ts";

/** The parts of a store that all its tables share. */
export interface StoreParts {
  readonly files: Files;
  readonly memory: Memory;
  readonly residency: Residency;
  readonly generations: Generations;
}

/** Full row groups in a new file that is not yet in any manifest. */
export interface WrittenRowGroups {
  readonly columns: readonly Column[];
  readonly rowGroupCount: number;
  /** The segment file; absent if there are no full row groups. */
  readonly segments?: { readonly file: string; readonly open: SegmentFile };
}

/** The files of a generation. */
export interface Generation {
  readonly log: TableLog;
  /** Number of changes that the log contained when it was opened. */
  readonly changeCount?: number;
  readonly segments?: SegmentFile;
}

/** The members of a table that its files depend on. */
export type WrittenTable = Pick<Table, "name" | "rowCount" | "version"> &
  Partial<Pick<Table, "deleted">>;

/**
 * Writes the full row groups of columns of equal length to a new segment file. Meanwhile, rows may be added and columns
 * dropped.
 * @throws {DamagedFile}
 * @throws {EngineError} STORE_WRITE_FAILED
 */
export async function writeRowGroups(
  { files, memory, generations }: StoreParts,
  columns: readonly Column[],
  rowCount: number,
  check: () => void,
): Promise<WrittenRowGroups> {
  const rowGroupCount = Math.floor(rowCount / rowGroupSize);
  if (rowGroupCount === 0) return { columns: [], rowGroupCount };
  const { file, path } = generations.nameFile("segments");
  try {
    const written = await writeSegments({ files, path, memory, columns, rowGroupCount, check });
    const open = await SegmentFile.open(files, path);
    return { columns: written, rowGroupCount, segments: { file, open } };
  } catch (error) {
    throw error instanceof Error && "syscall" in error ? writeFailed(error) : error;
  }
}

/** Removes a segment file that is not needed. The file stays if the manifest may name it. */
export async function discardRowGroups(
  { generations }: StoreParts,
  { segments }: WrittenRowGroups,
): Promise<void> {
  if (!segments) return;
  await segments.open.close();
  if (!generations.broken) await generations.remove(segments.open.path);
}

/**
 * Writes the next generation of a table. Its first rows are already written; the remaining rows are written to a new
 * log, and finally the manifest is replaced. Meanwhile, rows must not change, and the dictionaries of text columns must
 * be in memory. When the table is opened from these files, its version is the current version plus `addedVersions`.
 * @throws {EngineError} STORE_WRITE_FAILED
 */
export async function startGeneration(
  { memory, generations }: StoreParts,
  { name, rowCount, version, deleted }: WrittenTable,
  written: WrittenRowGroups,
  columns: readonly Column[],
  addedVersions: number,
): Promise<Generation> {
  const rowGroups = Math.ceil(rowCount / rowGroupSize) - written.rowGroupCount;
  const deletes = deleted && listDeletedRows(deleted);
  const changes = restOf(memory, written, columns, { rowCount, ...(deletes && { deletes }) });
  const { segments } = written;
  const before = version + addedVersions - Math.max(1, rowGroups);
  const log = await generations.start(name, changes, before, segments?.file);
  return { log, ...(segments && { segments: segments.open }) };
}

/**
 * Yields at least one change. Applied to the written row groups, the changes produce the current columns and rows. The
 * last change deletes the deleted rows again.
 * Each change is created only after the previous change is written, so that only one row group of rows is in memory.
 */
function* restOf(
  memory: Memory,
  written: WrittenRowGroups,
  columns: readonly Column[],
  { rowCount, ...deletion }: Pick<Table, "rowCount"> & Pick<TableChange, "deletes">,
): Generator<TableChange, void> {
  const drop = written.columns
    .filter((column) => !columns.includes(column))
    .map(({ definition }) => definition.name);
  const add = columns
    .filter((column) => !written.columns.includes(column))
    .map(({ definition }) => definition);
  const others = { ...(drop.length > 0 && { drop }), ...(add.length > 0 && { add }) };
  const names = columns.map(({ definition }) => definition.name);
  const end = Math.ceil(rowCount / rowGroupSize);
  if (written.rowGroupCount === end) yield { ...others, ...deletion };
  for (let rowGroup = written.rowGroupCount; rowGroup < end; rowGroup++) {
    const batch = {
      rowCount: Math.min(rowGroupSize, rowCount - rowGroup * rowGroupSize),
      columns: columns.map((column) => readBatchColumn(memory, column, rowGroup)),
    };
    yield {
      ...(rowGroup === written.rowGroupCount && others),
      ...(rowGroup === end - 1 && deletion),
      rows: { names, batch },
    };
    releasePieces(batch.columns.map(bytesOf));
  }
}

function bytesOf(column: BatchColumn): Uint8Array {
  const { buffer, byteOffset, byteLength } = column.type === "text" ? column.codes : column.values;
  return new Uint8Array(buffer, byteOffset, byteLength);
}
