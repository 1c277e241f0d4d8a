import type { Column } from "../../column/column.ts";
import { EngineError } from "../../errors.ts";
import type { TableLog } from "../../files/tableLog.ts";
import type { Table, TableChange } from "../../table/table.ts";
import type { TableInfo } from "../../types.ts";
import { checkDiskSpace } from "../generations/checkDiskSpace.ts";
import { checkFilled } from "../changes/checkChange.ts";
import { fillTable, type BatchedRows } from "../changes/fillTable.ts";
import {
  discardRowGroups,
  startGeneration,
  writeRowGroups,
  type Generation,
  type StoreParts,
  type WrittenTable,
} from "../generations/rewriteTable.ts";
import { TableFiles } from "../generations/tableFiles.ts";
import { checkChanges, type CheckedChange, type PendingChange } from "./checkChanges.ts";
import { foldColumns } from "./foldColumns.ts";
import { TablePins, type PinnedSnapshot } from "./tablePins.ts";
import { TableSoundness } from "./tableSoundness.ts";

/** Minimum number of deleted rows for which a table is folded. */
const leastFolded = 16_384;

interface PendingFill {
  readonly rows: BatchedRows;
  readonly resolve: (info: TableInfo) => void;
  readonly reject: (error: unknown) => void;
}

interface PendingPlan {
  readonly plan: () => Promise<TableChange | undefined>;
  readonly resolve: (info: TableInfo) => void;
  readonly reject: (error: unknown) => void;
}

/** Events that a stored table reports to its store. */
export interface TableEvents {
  /** Called if the table becomes unusable until the store is reopened or the table is replaced. */
  damaged(stored: StoredTable, reason: string): void;
  /** Called when the log is large enough to compact. */
  logGrown(stored: StoredTable): void;
  /** Called when so many rows are deleted that the table should be folded. */
  deletesGrown(stored: StoredTable): void;
}

/**
 * Runs the step that replaces the table's files, and prevents changes to the table's rows and columns during this step.
 */
export type Switching = (run: () => Promise<void>) => Promise<void>;

/** A table with its files. Changes that arrive during a write are written together and share a sync. */
export class StoredTable {
  readonly table: Table;
  readonly #parts: StoreParts;
  readonly #events: TableEvents;
  readonly #files: TableFiles;
  readonly #soundness: TableSoundness;
  readonly #pins: TablePins;
  #pending: (PendingChange | PendingFill | PendingPlan)[] = [];
  #draining: Promise<void> | undefined;
  #compacting: Promise<void> | undefined;
  #filling: Promise<void> | undefined;
  /** A promise that resolves when a change starts to wait for a compaction. */
  #waiting = Promise.withResolvers<void>();

  /** Creates a stored table, which is temporary if `generation` is absent. */
  constructor(
    table: Table,
    generation: Generation | undefined,
    parts: StoreParts,
    events: TableEvents,
    logBytes: number,
  ) {
    this.table = table;
    this.#files = new TableFiles(generation, table, logBytes);
    this.#parts = parts;
    this.#events = events;
    this.#soundness = new TableSoundness(table.name, (reason) => events.damaged(this, reason));
    this.#pins = new TablePins(table, parts, this.#soundness);
  }

  /** Checks a change, makes it durable and applies it. */
  change(change: TableChange): Promise<TableInfo> {
    return this.#enqueue((answer) => ({ change, ...answer }));
  }

  /**
   * Calls `plan` once all earlier changes have been applied, and makes the change that it returns, if any. Until then,
   * no other change is applied.
   */
  changeAfter(plan: () => Promise<TableChange | undefined>): Promise<TableInfo> {
    return this.#enqueue((answer) => ({ plan, ...answer }));
  }

  /**
   * Writes rows durably as they arrive, and makes them visible when the last row has arrived. Until then, other changes
   * and compaction wait.
   */
  fill(rows: BatchedRows): Promise<TableInfo> {
    return this.#enqueue((answer) => ({ rows, ...answer }));
  }

  /**
   * Returns the current version. The named columns stay in memory until the snapshot ends. Ignores names that the table
   * does not have. Returns undefined if the table is closed.
   * @throws {EngineError} TABLE_DAMAGED, STORE_OUT_OF_MEMORY
   */
  pin(names: Iterable<string>): Promise<PinnedSnapshot | undefined> {
    return this.#pins.pin(names);
  }

  /**
   * Writes full row groups to a new segment file and all other rows to a new log. Rows may be added meanwhile, except
   * during the last step, which runs in `switching`. Rows added before the call are included. Does nothing if the files
   * are already compact, or if another write replaces them meanwhile. Only one compaction runs at a time.
   * @throws {EngineError} STORE_WRITE_FAILED, STORE_OUT_OF_MEMORY, TABLE_DAMAGED
   */
  compact(switching: Switching): Promise<void> {
    const compacting = this.endCompaction()
      .then(() => this.#compact(switching))
      .finally(() => {
        if (this.#compacting === compacting) this.#compacting = undefined;
      });
    this.#compacting = compacting;
    return compacting;
  }

  get isCompacting(): boolean {
    return this.#compacting !== undefined;
  }

  /**
   * Replaces the columns with the result of `exchange`, in new files, and increments the version. Meanwhile, rows and
   * columns must not change. Keeps in memory the dictionaries of all text columns, and the values of the columns for
   * which `isRead` returns true.
   */
  async rewrite(
    isRead: (column: Column) => boolean,
    exchange: (columns: readonly Column[]) => readonly Column[],
  ): Promise<void> {
    await this.untilDone();
    const { table } = this;
    const pin = await this.#pins.pinTexts(isRead);
    let made: readonly Column[] = [];
    try {
      const columns = exchange(table.columns);
      made = columns.filter((column) => !table.columns.includes(column));
      const generation = this.#files.log && (await this.#writeAll(columns));
      this.#parts.residency.forget(table.columns.filter((column) => !columns.includes(column)));
      table.exchange(columns);
      made = [];
      if (generation) await this.#take(generation, columns);
    } finally {
      for (const column of made) column.close();
      pin.end();
    }
  }

  /** Whether so many rows are deleted that folding the table is worth the writing. */
  get areDeletesMany(): boolean {
    const { deleted, rowCount } = this.table;
    return deleted !== undefined && deleted.count >= leastFolded && deleted.count * 4 > rowCount;
  }

  /**
   * Writes new columns without the deleted rows, in new files, and increments the version. Meanwhile, the caller
   * prevents changes of rows and columns; queries continue. Does nothing if a fill waits for a compaction.
   * @throws {EngineError} STORE_WRITE_FAILED, STORE_OUT_OF_MEMORY, TABLE_DAMAGED
   */
  async fold(): Promise<void> {
    await Promise.race([this.#draining, this.#waiting.promise]);
    const { table } = this;
    const { deleted, visibleCount } = table;
    if (this.#draining || !deleted) return;
    const reservedBytes = table.columns.length * visibleCount * 8;
    this.#parts.memory.reserve(reservedBytes);
    let pin: { end(): void } | undefined;
    let made: readonly Column[] = [];
    try {
      pin = await this.#pins.pinTexts(() => true);
      const check = () => this.#soundness.check();
      made = await foldColumns(this.#parts.memory, table, deleted, check);
      const columns = made;
      const folded = { name: table.name, version: table.version, rowCount: visibleCount };
      const generation = this.#files.log && (await this.#writeAll(columns, folded));
      this.#parts.residency.forget(table.columns);
      table.fold(columns, visibleCount);
      made = [];
      if (generation) await this.#take(generation, columns);
    } finally {
      for (const column of made) column.close();
      pin?.end();
      this.#parts.memory.release(reservedBytes);
    }
  }

  #enqueue(
    make: (
      answer: Pick<PendingChange, "resolve" | "reject">,
    ) => PendingChange | PendingFill | PendingPlan,
  ): Promise<TableInfo> {
    if (this.#soundness.isClosed)
      return Promise.reject(new EngineError("TABLE_UNKNOWN", [this.table.name]));
    return new Promise((resolve, reject) => {
      this.#pending.push(make({ resolve, reject }));
      this.#draining ??= this.#drain();
    });
  }

  /** Resolves when all changes requested so far have been applied. */
  async untilDone(): Promise<void> {
    await this.#draining;
  }

  /** Rejects further changes, completes pending changes, closes the files and frees the memory. */
  async close(): Promise<void> {
    this.#soundness.isClosed = true;
    await this.#draining;
    await this.#files.close();
    this.#parts.residency.forget(this.table.columns);
    this.table.close();
  }

  /** Whether the log is large enough to compact. */
  get isLogGrown(): boolean {
    return this.#files.isLogGrown(this.table.version);
  }

  /** The log to which changes are written; undefined for a temporary table. */
  get log(): TableLog | undefined {
    return this.#files.log;
  }

  /** Paths of the table's files. */
  get paths(): readonly string[] {
    return this.#files.paths;
  }

  /** Waits until a running compaction has ended, successfully or not. */
  async endCompaction(): Promise<void> {
    await this.#compacting?.catch(() => undefined);
  }

  async #compact(switching: Switching): Promise<void> {
    await this.#filling;
    const { table } = this;
    const files = this.#files;
    if (!files.log || files.isCompact(table.version)) return;
    const { generation } = files;
    const pin = await this.#pins.pinTexts(() => false);
    try {
      await checkDiskSpace(this.#parts.files, files.log.path, files.sizeBytes);
      const check = () => this.#soundness.check();
      const cut = table.columns;
      const written = await this.#soundness.load(() =>
        writeRowGroups(this.#parts, cut, table.rowCount, check),
      );
      let isTaken = false;
      try {
        await switching(async () => {
          this.#soundness.check();
          // Rows that arrive in batches must wait for the compaction.
          await Promise.race([this.#draining, this.#waiting.promise]);
          if (generation !== files.generation) return;
          const next = await startGeneration(this.#parts, table, written, table.columns, 0);
          isTaken = true;
          await this.#take(next, written.columns);
        });
      } finally {
        if (!isTaken) await discardRowGroups(this.#parts, written);
      }
    } catch (error) {
      this.#soundness.check();
      if (generation !== files.generation) return;
      files.putOff();
      throw error;
    } finally {
      pin.end();
    }
  }

  /** Writes the files of the next version. That version has the same rows, but other columns. */
  async #writeAll(
    columns: readonly Column[],
    table: WrittenTable = this.table,
  ): Promise<Generation> {
    const written = await writeRowGroups(this.#parts, columns, table.rowCount, () =>
      this.#soundness.check(),
    );
    try {
      return await startGeneration(this.#parts, table, written, columns, 1);
    } catch (error) {
      await discardRowGroups(this.#parts, written);
      throw error;
    }
  }

  /** Switches to the files of a new generation and removes the previous ones. */
  async #take(generation: Generation, columns: readonly Column[]): Promise<void> {
    const before = this.#files.exchange(generation, this.table);
    const { segments } = generation;
    if (segments) {
      const saved = columns.filter((column) => !column.isClosed);
      for (const column of saved) column.adopt(segments.column(column.definition.name)!);
      this.#parts.residency.track(saved);
    }
    for (const file of before) {
      await file.close().catch(() => undefined);
      await this.#parts.generations.remove(file.path);
    }
  }

  /**
   * Applies waiting changes until none is left. Does not yield between the last check and stopping, so that no change
   * is missed.
   */
  async #drain(): Promise<void> {
    await undefined;
    for (let [first] = this.#pending; first; [first] = this.#pending) {
      if ("change" in first) await this.#write(this.#takeChanges());
      else if ("plan" in first) {
        this.#pending.shift();
        await this.#writePlanned(first);
      } else if (this.#compacting) await this.#waitForCompaction();
      else {
        this.#pending.shift();
        this.#filling = this.#fill(first);
        await this.#filling;
        this.#filling = undefined;
        if (this.isLogGrown) this.#events.logGrown(this);
      }
    }
    this.#draining = undefined;
    if (this.isLogGrown) this.#events.logGrown(this);
    if (this.areDeletesMany) this.#events.deletesGrown(this);
  }

  async #writePlanned({ plan, resolve, reject }: PendingPlan): Promise<void> {
    try {
      this.#soundness.check();
      const change = await plan();
      if (change) await this.#write([{ change, resolve, reject }]);
      else resolve(this.table.info());
    } catch (error) {
      reject(error);
    }
  }

  /** Removes and returns the waiting changes that precede the next fill or planned change. */
  #takeChanges(): PendingChange[] {
    const changes: PendingChange[] = [];
    for (let [first] = this.#pending; first && "change" in first; [first] = this.#pending) {
      changes.push(first);
      this.#pending.shift();
    }
    return changes;
  }

  async #waitForCompaction(): Promise<void> {
    this.#waiting.resolve();
    await this.endCompaction();
    this.#waiting = Promise.withResolvers();
  }

  async #write(changes: readonly PendingChange[]): Promise<void> {
    const checked = checkChanges(changes, {
      table: this.table,
      hasLog: this.#files.log !== undefined,
      memory: this.#parts.memory,
      soundness: this.#soundness,
    });
    if (checked.length === 0) return;
    try {
      await this.#files.log?.append(checked.map(({ payload }) => payload));
      this.#apply(checked);
    } catch (error) {
      for (const { reject } of checked) reject(error);
    } finally {
      for (const { reservedBytes } of checked) this.#parts.memory.release(reservedBytes);
    }
  }

  async #fill({ rows: { columns, batches }, resolve, reject }: PendingFill): Promise<void> {
    let pin: { end(): void } | undefined;
    try {
      const { table } = this;
      this.#soundness.check();
      checkFilled(table.name, table.definitions, columns);
      pin = await this.#pins.pinTexts(() => false);
      const fill = await fillTable({
        table,
        log: this.#files.log,
        memory: this.#parts.memory,
        batches,
        check: () => this.#soundness.check(),
      });
      try {
        table.take(fill);
      } catch (error) {
        throw this.#soundness.damage(error);
      }
      resolve(table.info());
    } catch (error) {
      reject(error);
    } finally {
      pin?.end();
    }
  }

  /**
   * Applies changes that are already on disk. If this fails, memory lacks changes that are on disk, so the table
   * becomes unusable.
   */
  #apply(checked: readonly CheckedChange[]): void {
    const before = this.table.columns;
    try {
      for (const { change, resolve } of checked) {
        this.table.apply(change);
        resolve(this.table.info());
      }
    } catch (error) {
      throw this.#soundness.damage(error);
    } finally {
      this.#parts.residency.forget(before.filter(({ isClosed }) => isClosed));
    }
  }
}
