import { Column } from "../column/column.ts";
import type { Placement } from "../column/placement.ts";
import type { AddedBatchColumn } from "../column/waitingRows.ts";
import type { SavedColumn } from "../column/savedColumn.ts";
import { rowGroupSize } from "../column/segment/segment.ts";
import type { EncodedBatch } from "../column/encodedBatch.ts";
import type { SealedBatch } from "../column/sealedBatch.ts";
import type { Memory } from "../memory/memory.ts";
import type { ColumnDefinition, NamedBatch, TableInfo } from "../types.ts";
import { deletedBytes, deleteRows, type DeletedRows } from "./deletedRows.ts";
import { TableFill } from "./tableFill.ts";
import type { ColumnSnapshot, Snapshot } from "./snapshot.ts";

/**
 * One change of a table. It is applied in this order: drop columns, add columns, add rows, add encoded batches, add a
 * sealed batch, delete rows.
 */
export interface TableChange {
  readonly drop?: readonly string[];
  readonly add?: readonly ColumnDefinition[];
  readonly rows?: NamedBatch;
  readonly encoded?: readonly EncodedBatch[];
  readonly sealed?: SealedBatch;
  /** Numbers of the rows to delete, counted from 0 and including deleted rows. */
  readonly deletes?: Float64Array;
}

/** The rows of a table that are stored in a file. */
export interface SavedTable {
  readonly rowGroupCount: number;
  readonly columns: readonly {
    readonly definition: ColumnDefinition;
    readonly column: SavedColumn;
  }[];
}

/** A table in memory. Callers must check changes before they apply them. */
export class Table {
  readonly name: string;
  readonly temporary: boolean;
  readonly #memory: Memory;
  readonly #placement: Placement = [];
  #columns: readonly Column[] = [];
  #rowCount = 0;
  #deleted: DeletedRows | undefined;
  #version: number;
  #snapshot: Snapshot | undefined;
  #snapshotResidency = 0;

  /** Creates a table, with the rows of a file if there is one. */
  constructor(
    name: string,
    memory: Memory,
    temporary: boolean,
    version: number,
    saved?: SavedTable,
  ) {
    this.name = name;
    this.temporary = temporary;
    this.#memory = memory;
    this.#version = version;
    if (!saved) return;
    this.#rowCount = saved.rowGroupCount * rowGroupSize;
    this.#columns = saved.columns.map(
      ({ definition, column }) => new Column(definition, memory, this.#placement, column),
    );
  }

  get columns(): readonly Column[] {
    return this.#columns;
  }

  /** Number of rows in the columns, including deleted rows. */
  get rowCount(): number {
    return this.#rowCount;
  }

  /** The rows that no reader may see; undefined if no row is deleted. */
  get deleted(): DeletedRows | undefined {
    return this.#deleted;
  }

  /** Number of rows that readers see. */
  get visibleCount(): number {
    return this.#rowCount - (this.#deleted?.count ?? 0);
  }

  get version(): number {
    return this.#version;
  }

  get definitions(): readonly ColumnDefinition[] {
    return this.#columns.map((column) => column.definition);
  }

  get memoryBytes(): number {
    const columnBytes = this.#columns.reduce((sum, column) => sum + column.memoryBytes, 0);
    return columnBytes + deletedBytes(this.#deleted);
  }

  /**
   * Returns, for each text column, the number of distinct strings that it has contained since it was last rewritten.
   * Includes strings that only deleted rows have.
   */
  textCounts(): ReadonlyMap<string, number> {
    return new Map(
      this.#columns.flatMap(({ definition, dictionary }): [string, number][] =>
        dictionary ? [[definition.name, dictionary.size]] : [],
      ),
    );
  }

  info(): TableInfo {
    return {
      name: this.name,
      columns: this.definitions,
      temporary: this.temporary,
      rowCount: this.visibleCount,
      version: this.#version,
      memoryBytes: this.memoryBytes,
      ...(this.#deleted && { deletedCount: this.#deleted.count }),
    };
  }

  /**
   * Starts a fill. Its rows stay invisible until `take`. Until then, nothing else may change the table, and
   * dictionaries must stay in memory.
   */
  fill(): TableFill {
    return new TableFill(this.#columns);
  }

  /** Makes the rows of a fill visible and increments the version. */
  take(fill: TableFill): void {
    this.#snapshot = undefined;
    fill.end();
    this.#rowCount += fill.rowCount;
    this.#version++;
  }

  /** Applies a checked change. Increments the version, unless the change is only a part of a larger change. */
  apply(change: TableChange, isPart = false): void {
    this.#snapshot = undefined;
    if (change.drop) {
      const dropped = new Set(change.drop);
      for (const column of this.#columns) if (dropped.has(column.definition.name)) column.close();
      this.#columns = this.#columns.filter((column) => !dropped.has(column.definition.name));
    }
    if (change.add)
      this.#columns = [
        ...this.#columns,
        ...change.add.map((definition) => this.createColumn(definition, this.#rowCount)),
      ];
    if (change.rows) {
      const { names, batch } = change.rows;
      const added = new Map(names.map((name, index) => [name, batch.columns[index]]));
      this.#append(added, batch.rowCount);
    }
    for (const { columns, rowCount } of [
      ...(change.encoded ?? []),
      ...(change.sealed ? [change.sealed] : []),
    ])
      this.#append(new Map(columns.map(({ name, column }) => [name, column])), rowCount);
    if (change.deletes && change.deletes.length > 0)
      this.#setDeleted(deleteRows(this.#deleted, change.deletes, this.#rowCount));
    if (!isPart) this.#version++;
  }

  /** Frees all memory. Snapshots that are protected by leases stay readable. */
  close(): void {
    for (const column of this.#columns) column.close();
    this.#memory.charge(-deletedBytes(this.#deleted));
    this.#deleted = undefined;
  }

  #setDeleted(deleted: DeletedRows): void {
    this.#memory.charge(deletedBytes(deleted) - deletedBytes(this.#deleted));
    this.#deleted = deleted;
  }

  /**
   * Replaces the columns with columns of the same number of rows, and increments the version. Closes the replaced
   * columns.
   */
  exchange(columns: readonly Column[]): void {
    this.#snapshot = undefined;
    for (const column of this.#columns) if (!columns.includes(column)) column.close();
    this.#columns = columns;
    this.#version++;
  }

  /** Replaces the columns with columns of the rows that are not deleted, and increments the version. */
  fold(columns: readonly Column[], rowCount: number): void {
    this.exchange(columns);
    this.#memory.charge(-deletedBytes(this.#deleted));
    this.#deleted = undefined;
    this.#rowCount = rowCount;
  }

  #append(added: ReadonlyMap<string, AddedBatchColumn>, rowCount: number): void {
    for (const column of this.#columns) column.append(added.get(column.definition.name), rowCount);
    this.#rowCount += rowCount;
  }

  /** Creates a column for this table without adding it. */
  createColumn(definition: ColumnDefinition, rowCount: number): Column {
    return new Column(definition, this.#memory, this.#placement, rowCount);
  }

  /** Returns a snapshot of the current version. Only columns in memory can be read. */
  snapshot(): Snapshot {
    const residency = this.#columns.reduce((sum, column) => sum + column.residency, 0);
    if (residency !== this.#snapshotResidency) this.#snapshot = undefined;
    this.#snapshotResidency = residency;
    this.#snapshot ??= {
      table: this.name,
      version: this.#version,
      rowCount: this.#rowCount,
      columns: new Map(this.#columns.map((column) => [column.definition.name, present(column)])),
      ...(this.#deleted && { deleted: this.#deleted }),
    };
    return this.#snapshot;
  }
}

function present(column: Column): ColumnSnapshot {
  const { definition, dictionary, directory, sealedCount } = column;
  const summary = column.summary();
  const tail = column.tail();
  return {
    ...summary,
    definition,
    directory,
    sealedCount,
    ...(tail && { tail }),
    largest: dictionary ? NaN : Math.max(Math.abs(summary.minimum), Math.abs(summary.maximum)),
    dictionary,
    textCount: dictionary?.size ?? 0,
  };
}
