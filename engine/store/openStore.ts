import { basename } from "node:path";
import { EngineError } from "../errors.ts";
import { nodeFiles, type Files } from "../files/files.ts";
import { FolderLock } from "../files/folderLock.ts";
import { encodeChange } from "../files/changeFrame.ts";
import { writeFailed } from "../files/writeFailed.ts";
import { ingest, ingestFile } from "../ingest/ingest.ts";
import { rowGroupSize } from "../column/segment.ts";
import type { TableLog } from "../files/tableLog.ts";
import type { EncodedBatch } from "../ingest/messages.ts";
import { Memory } from "../memory/memory.ts";
import { bindPlan } from "../plan/bindPlan.ts";
import { Pool } from "../pool/pool.ts";
import type { Snapshot } from "../table/snapshot.ts";
import { Table, type TableChange } from "../table/table.ts";
import type {
  Answer,
  ColumnDefinition,
  IngestRequest,
  NamedBatch,
  Plan,
  QueryOptions,
  Store,
  StoreOptions,
  StoreStats,
  TableDefinition,
  TableInfo,
} from "../types.ts";
import { checkColumns, checkFilled } from "./checkChange.ts";
import { estimateBytes } from "./estimateBytes.ts";
import { fillTable } from "./fillTable.ts";
import { Generations } from "./generations.ts";
import { presentAnswer } from "./presentAnswer.ts";
import { recover, type Damage, type Recovery } from "./recover.ts";
import { plannedColumns } from "./plannedColumns.ts";
import { Residency } from "./residency.ts";
import { retypeColumns } from "./retypeColumns.ts";
import type { Generation, StoreParts } from "./rewriteTable.ts";
import { checkChange, StoredTable, type BatchedRows, type PinnedSnapshot } from "./storedTable.ts";

/**
 * Opens the store of a folder, made when missing: takes its lock, reads its tables, removes what
 * writes that were never acknowledged left behind. A table with a damaged file is set aside and
 * refused with TABLE_DAMAGED when it is used; the others serve. Threads start with the first query or ingest, or with `warm`.
 * Cost: one read of every log, and of every segment file what its columns are; rows of segment files are read when a
 * query names their column.
 * @throws {EngineError} STORE_LOCKED, FILE_CORRUPT, FILE_VERSION, STORE_WRITE_FAILED
 */
export function openStore(options: StoreOptions): Promise<Store> {
  return openStoreWith(options, nodeFiles);
}

/** Bytes of a log that may grow before its table is compacted. */
const compactedLogBytes = 2 ** 26;

/** `openStore` over given file operations. */
export async function openStoreWith(
  options: StoreOptions,
  files: Files,
  logBytes = compactedLogBytes,
): Promise<Store> {
  if (!Number.isSafeInteger(options.workers) || options.workers < 1)
    throw new TypeError("workers must be a whole number from 1");
  await files.makeFolder(options.dir);
  const lock = await FolderLock.take(options.dir);
  try {
    const memory = new Memory({ budgetBytes: options.memoryBytes });
    const recovery = await recover(files, options.dir, memory);
    return new StrataStore(options, files, lock, memory, recovery, logBytes);
  } catch (error) {
    await lock.release();
    throw error instanceof EngineError ? error : writeFailed(error);
  }
}

class StrataStore implements Store {
  readonly #options: StoreOptions;
  readonly #lock: FolderLock;
  readonly #generations: Generations;
  readonly #tables = new Map<string, StoredTable>();
  readonly #damaged: Map<string, Damage>;
  readonly #changing = new Map<string, Promise<unknown>>();
  /** The last ingest of each table that has one. */
  readonly #ingesting = new Map<string, Promise<unknown>>();
  /** The last ingest of each table during which columns stand still: a file's and a replace from its call on, JSON's once it is encoded. */
  readonly #holding = new Map<string, Promise<unknown>>();
  readonly #memory: Memory;
  readonly #parts: StoreParts;
  readonly #logBytes: number;
  #compactionFailure: string | undefined;
  #pool: Pool | undefined;
  #structure: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(
    options: StoreOptions,
    files: Files,
    lock: FolderLock,
    memory: Memory,
    recovery: Recovery,
    logBytes: number,
  ) {
    this.#options = options;
    this.#memory = memory;
    this.#lock = lock;
    this.#logBytes = logBytes;
    this.#generations = new Generations(files, options.dir, recovery.manifest);
    this.#parts = {
      files,
      memory,
      residency: new Residency(memory),
      generations: this.#generations,
    };
    this.#damaged = new Map(recovery.damaged);
    for (const { table, ...generation } of recovery.tables) {
      const stored = this.#adopt(table, generation);
      if (stored.isLogGrown) this.#compactInBackground(stored);
    }
  }

  tables(): readonly TableInfo[] {
    return [...this.#tables.values()].map(({ table }) => table.info());
  }

  table(name: string): TableInfo | undefined {
    return this.#tables.get(name)?.table.info();
  }

  async create({ name, columns, temporary = false }: TableDefinition): Promise<TableInfo> {
    return this.#restructure(name, async () => {
      this.#checkSound(name);
      if (this.#tables.has(name)) throw new EngineError("TABLE_EXISTS", [name]);
      if (typeof name !== "string" || name === "")
        throw new EngineError("BATCH_MALFORMED", [
          "a table's name must be a text that is not empty",
        ]);
      checkColumns(name, [], columns);
      const stored = await this.#generate(
        name,
        { add: columns },
        temporary,
        this.#generations.versionFloor,
      );
      return stored.table.info();
    });
  }

  async append({
    table,
    rows,
    addColumns,
  }: {
    readonly table: string;
    readonly rows: NamedBatch;
    readonly addColumns?: readonly ColumnDefinition[];
  }): Promise<TableInfo> {
    const before = this.#ingesting.get(table);
    if (before) await before;
    return this.#change(table, { rows, ...(addColumns && { add: addColumns }) });
  }

  async alter({
    table,
    add,
    drop,
    retype,
  }: {
    readonly table: string;
    readonly add?: readonly ColumnDefinition[];
    readonly drop?: readonly string[];
    readonly retype?: readonly ColumnDefinition[];
  }): Promise<TableInfo> {
    const before = this.#holding.get(table);
    if (before) await before;
    if (retype && retype.length > 0)
      return this.#restructure(table, async () => {
        const stored = this.#find(table);
        await retypeColumns(stored, this.#memory, {
          retype,
          ...(add && { add }),
          ...(drop && { drop }),
        });
        return stored.table.info();
      });
    return this.#change(table, { ...(add && { add }), ...(drop && { drop }) });
  }

  async replace({
    table: name,
    rows,
    columns,
  }: {
    readonly table: string;
    readonly rows: NamedBatch;
    readonly columns?: readonly ColumnDefinition[];
  }): Promise<TableInfo> {
    const before = this.#ingesting.get(name);
    if (before) await before;
    return this.#replace(name, columns, { rows });
  }

  async ingest(request: IngestRequest): Promise<TableInfo> {
    this.#checkWritable();
    const { table: name, format, bytes, mode = "append" } = request;
    checkIngest(request);
    const { definitions } = this.#find(name).table;
    const columns = request.columns ?? definitions;
    checkFilled(name, definitions, columns);
    const rows = this.#encode(format, bytes, columns);
    const before = this.#ingesting.get(name);
    const applied = Promise.allSettled([rows, before]).then(async () =>
      mode === "append" ? this.#fill(name, await rows) : this.#refill(name, await rows),
    );
    this.#note(this.#ingesting, name, applied);
    if (format !== "json" || mode === "replace") this.#note(this.#holding, name, applied);
    try {
      return await applied;
    } catch (error) {
      if (this.#closing) throw new EngineError("STORE_CLOSED", [], { cause: error });
      throw error;
    }
  }

  /** Keeps what runs on a table until it has ended. */
  #note(running: Map<string, Promise<unknown>>, name: string, work: Promise<unknown>): void {
    const done = work
      .catch(() => undefined)
      .finally(() => {
        if (running.get(name) === done) running.delete(name);
      });
    running.set(name, done);
  }

  /** Starts to encode bytes. Of JSON all is encoded before anything is known of it; the batches of a file come one by one. */
  async #encode(
    format: IngestRequest["format"],
    bytes: Uint8Array,
    columns: readonly ColumnDefinition[],
  ): Promise<BatchedRows> {
    const pool = this.#threads();
    const encode = format === "json" ? ingest : ingestFile;
    const encoded = await encode({ format, bytes, columns }, this.#options.workers, (task) =>
      pool.encode(task),
    );
    return { columns, batches: "batches" in encoded ? encoded.batches : encoded };
  }

  /** Adds rows to a table; few rows, which share a sync with others, as one change. */
  async #fill(name: string, rows: BatchedRows): Promise<TableInfo> {
    const { batches } = rows;
    const few = Array.isArray(batches) ? (batches as readonly EncodedBatch[]) : undefined;
    if (few && few.reduce((sum, { rowCount }) => sum + rowCount, 0) <= rowGroupSize)
      return this.#change(name, { encoded: few });
    return this.#whenFree(name, (stored) => {
      const filled = stored.fill(rows);
      this.#note(this.#holding, name, filled);
      return filled;
    });
  }

  /** Makes a new generation of a table from rows that come in batches. The one before is there until all have come. */
  async #refill(name: string, { columns, batches }: BatchedRows): Promise<TableInfo> {
    const old = await this.#whenFree(name, async (stored) => {
      await stored.settle();
      return stored;
    });
    const { definitions, version, temporary } = old.table;
    checkFilled(name, definitions, columns);
    const memory = this.#memory;
    const table = new Table(name, memory, temporary, version);
    let log: TableLog | undefined;
    let isTaken = false;
    try {
      const change = { add: definitions };
      table.apply(change, true);
      log = temporary ? undefined : await this.#generations.createLog([]);
      await log?.appendPart(encodeChange(change, true));
      const check = () => this.#checkWritable();
      table.take(await fillTable({ table, log, memory, batches, check }));
      return await this.#restructure(name, async () => {
        if (this.#tables.get(name) !== old) throw new EngineError("TABLE_UNKNOWN", [name]);
        await old.settle();
        if (log) await this.#generations.take(name, log, version);
        isTaken = true;
        const stored = this.#adopt(table, log && { log, changeCount: 1 });
        await this.#retire(name, old);
        if (stored.isLogGrown) this.#compactInBackground(stored);
        return table.info();
      });
    } catch (error) {
      if (!isTaken) {
        table.close();
        if (log) await this.#generations.discard(log);
      }
      throw error;
    }
  }

  async warm(): Promise<void> {
    if (this.#closing) throw new EngineError("STORE_CLOSED");
    await this.#threads().ready();
  }

  async #replace(
    name: string,
    columns: readonly ColumnDefinition[] | undefined,
    filling: TableChange,
  ): Promise<TableInfo> {
    return this.#restructure(name, async () => {
      const old = this.#damaged.has(name) && columns ? undefined : this.#find(name);
      await old?.settle();
      const change: TableChange = { add: columns ?? old?.table.definitions ?? [], ...filling };
      checkChange(name, [], change);
      const reservedBytes = estimateBytes(change, change.add?.length ?? 0, 0);
      this.#memory.reserve(reservedBytes);
      try {
        const version = old?.table.version ?? this.#generations.versionFloor + 1_000_000;
        const stored = await this.#generate(name, change, old?.table.temporary ?? false, version);
        await this.#retire(name, old);
        return stored.table.info();
      } finally {
        this.#memory.release(reservedBytes);
      }
    });
  }

  async drop({ table: name }: { readonly table: string }): Promise<void> {
    const before = this.#holding.get(name);
    if (before) await before;
    return this.#restructure(name, async () => {
      const old = this.#damaged.has(name) ? undefined : this.#find(name);
      await old?.settle();
      if (old?.table.temporary) this.#generations.forgetTemporary(old.table.version);
      else await this.#generations.forget(name, old?.table.version ?? 0);
      this.#tables.delete(name);
      await this.#retire(name, old);
    });
  }

  async query(plan: Plan, options: QueryOptions = {}): Promise<Answer> {
    if (this.#closing) throw new EngineError("STORE_CLOSED");
    if (options.signal?.aborted) throw new EngineError("QUERY_CANCELLED");
    const pins: PinnedSnapshot[] = [];
    try {
      const snapshots = new Map<string, Snapshot>();
      for (const [name, columns] of plannedColumns(plan)) {
        const pinned = await this.#pin(name, columns);
        pins.push(pinned);
        snapshots.set(name, pinned.snapshot);
      }
      if (options.signal?.aborted) throw new EngineError("QUERY_CANCELLED");
      const { plan: bound, answer } = bindPlan(plan, snapshots, this.#memory);
      const { columns, scannedRowCount, texts } = await this.#threads().run(bound, options);
      const version = snapshots.get(plan.table)?.version ?? 0;
      return presentAnswer(columns, answer, version, scannedRowCount, texts);
    } catch (error) {
      if (this.#closing) throw new EngineError("STORE_CLOSED", [], { cause: error });
      throw error;
    } finally {
      for (const pinned of pins) pinned.end();
    }
  }

  async compact({ table }: { readonly table?: string } = {}): Promise<void> {
    if (table !== undefined) {
      this.#checkWritable();
      return this.#compactTable(this.#find(table));
    }
    for (const [name, stored] of this.#tables) {
      this.#checkWritable();
      await this.#compactTable(stored).catch((error: unknown) => {
        if (this.#tables.get(name) === stored || this.#damaged.has(name)) throw error;
      });
    }
  }

  stats(): StoreStats {
    let rowCount = 0;
    for (const { table } of this.#tables.values()) rowCount += table.rowCount;
    return {
      tableCount: this.#tables.size,
      rowCount,
      memoryBytes: this.#memory.usedBytes,
      workers: this.#options.workers,
      queuedQueries: this.#pool?.queuedQueries ?? 0,
      ...(this.#compactionFailure !== undefined && {
        compactionFailure: this.#compactionFailure,
      }),
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await this.#pool?.close();
      await this.#structure.catch(() => undefined);
      for (const stored of this.#tables.values()) {
        await stored.close();
        await stored.endCompaction();
      }
      await Promise.all(this.#ingesting.values());
    } finally {
      await this.#lock.release();
    }
  }

  #threads(): Pool {
    this.#pool ??= new Pool({ workers: this.#options.workers, memory: this.#memory });
    return this.#pool;
  }

  #find(name: string): StoredTable {
    this.#checkSound(name);
    const stored = this.#tables.get(name);
    if (!stored) throw new EngineError("TABLE_UNKNOWN", [name]);
    return stored;
  }

  #checkSound(name: string): void {
    const damage = this.#damaged.get(name);
    if (damage) throw new EngineError("TABLE_DAMAGED", [name, damage.reason]);
  }

  #checkWritable(): void {
    if (this.#closing) throw new EngineError("STORE_CLOSED");
    const { broken } = this.#generations;
    if (broken) throw new EngineError("STORE_WRITE_FAILED", [broken]);
  }

  async #change(name: string, change: TableChange): Promise<TableInfo> {
    return this.#whenFree(name, (stored) => stored.change(change));
  }

  /** Asks something of a table that is not being changed itself, in the same step in which this is known. */
  async #whenFree<Result>(
    name: string,
    ask: (stored: StoredTable) => Promise<Result>,
  ): Promise<Result> {
    this.#checkWritable();
    for (let busy = this.#changing.get(name); busy; busy = this.#changing.get(name)) await busy;
    this.#checkWritable();
    return ask(this.#find(name));
  }

  /** Runs a change of the set of tables; one at a time, and changes of the same table's rows wait. */
  #restructure<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
    const result = this.#structure.then(() => {
      this.#checkWritable();
      return run();
    });
    const done = result.then(
      () => undefined,
      () => undefined,
    );
    this.#structure = done;
    const forgotten = done.finally(() => {
      if (this.#changing.get(name) === forgotten) this.#changing.delete(name);
    });
    this.#changing.set(name, forgotten);
    return result;
  }

  /** Makes a new generation of a table and puts it in the place of the one before. */
  async #generate(
    name: string,
    change: TableChange,
    temporary: boolean,
    version: number,
  ): Promise<StoredTable> {
    const table = new Table(name, this.#memory, temporary, version);
    const log = temporary ? undefined : await this.#generations.start(name, [change], version);
    table.apply(change);
    const stored = this.#adopt(table, log && { log, changeCount: 1 });
    if (stored.isLogGrown) this.#compactInBackground(stored);
    return stored;
  }

  #adopt(table: Table, generation: Generation | undefined): StoredTable {
    const events = {
      damaged: (stored: StoredTable, reason: string) => this.#takeOut(stored, reason),
      logGrown: (stored: StoredTable) => this.#compactInBackground(stored),
    };
    const stored = new StoredTable(table, generation, this.#parts, events, this.#logBytes);
    this.#tables.set(table.name, stored);
    return stored;
  }

  /** Shows a table with the columns of a query in memory; a table that is replaced meanwhile is looked up again. */
  async #pin(name: string, columns: ReadonlySet<string>): Promise<PinnedSnapshot> {
    for (;;) {
      if (this.#closing) throw new EngineError("STORE_CLOSED");
      const pinned = await this.#find(name).pin(columns);
      if (pinned) return pinned;
    }
  }

  #compactTable(stored: StoredTable): Promise<void> {
    return stored.compact((run) =>
      this.#restructure(stored.table.name, async () => {
        if (this.#tables.get(stored.table.name) === stored) await run();
      }),
    );
  }

  #compactInBackground(stored: StoredTable): void {
    if (stored.isCompacting) return;
    this.#compactTable(stored).then(
      () => (this.#compactionFailure = undefined),
      (error: unknown) => {
        const isGone = this.#closing || this.#tables.get(stored.table.name) !== stored;
        if (!isGone)
          this.#compactionFailure = `${stored.table.name}: ${error instanceof Error ? error.message : String(error)}`;
      },
    );
  }

  /** Takes a table whose files turned out to be damaged out of use; the files stay as they are. */
  #takeOut(stored: StoredTable, reason: string): void {
    const { name } = stored.table;
    if (this.#tables.get(name) !== stored) return;
    this.#tables.delete(name);
    if (!stored.table.temporary)
      this.#damaged.set(name, { files: stored.paths.map((path) => basename(path)), reason });
    void stored.close().catch(() => undefined);
  }

  /** Removes what a table was before: its file, or puts it aside when it was damaged. */
  async #retire(name: string, old: StoredTable | undefined): Promise<void> {
    if (old) {
      await old.close();
      for (const path of old.paths) await this.#generations.remove(path);
    }
    const damage = this.#damaged.get(name);
    if (!damage) return;
    for (const file of damage.files) await this.#generations.setAside(file);
    this.#damaged.delete(name);
  }
}

const formats: readonly IngestRequest["format"][] = ["json", "arrow", "parquet"];
const modes: readonly IngestRequest["mode"][] = ["append", "replace", undefined];

function checkIngest({ format, bytes, mode }: IngestRequest): void {
  if (!formats.includes(format))
    throw new EngineError("BATCH_MALFORMED", [
      `the format is ${String(format)}; there are ${formats.join(", ")}`,
    ]);
  if (!modes.includes(mode))
    throw new EngineError("BATCH_MALFORMED", [
      `the mode is ${String(mode)}; there are append and replace`,
    ]);
  if (!(bytes instanceof Uint8Array))
    throw new EngineError("BATCH_MALFORMED", ["the bytes must be a Uint8Array"]);
}
