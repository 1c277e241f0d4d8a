import { EngineError } from "../errors.ts";
import { nodeFiles, type Files } from "../files/files.ts";
import { FolderLock } from "../files/folderLock.ts";
import { writeFailed } from "../files/tableLog.ts";
import { bindPlan } from "../plan/bindPlan.ts";
import { Pool } from "../pool/pool.ts";
import { Table, type TableChange } from "../table/table.ts";
import type {
  Answer,
  ColumnDefinition,
  NamedBatch,
  Plan,
  QueryOptions,
  Store,
  StoreOptions,
  StoreStats,
  TableDefinition,
  TableInfo,
} from "../types.ts";
import { checkColumns } from "./checkChange.ts";
import { Generations } from "./generations.ts";
import { presentAnswer } from "./presentAnswer.ts";
import { recover, type Damage, type Recovery } from "./recover.ts";
import { checkChange, estimateBytes, StoredTable, type Budget } from "./storedTable.ts";

/**
 * Opens the store of a folder, made when missing: takes its lock, reads its tables, removes what
 * writes that were never acknowledged left behind. A table with a damaged file is set aside and
 * refused with TABLE_DAMAGED when it is used; the others serve. Threads start with the first query.
 * Cost: one read of every file.
 * @throws {EngineError} STORE_LOCKED, FILE_CORRUPT, FILE_VERSION, STORE_WRITE_FAILED
 */
export function openStore(options: StoreOptions): Promise<Store> {
  return openStoreWith(options, nodeFiles);
}

/** `openStore` over given file operations. */
export async function openStoreWith(options: StoreOptions, files: Files): Promise<Store> {
  if (!Number.isSafeInteger(options.workers) || options.workers < 1)
    throw new TypeError("workers must be a whole number from 1");
  await files.makeFolder(options.dir);
  const lock = await FolderLock.take(options.dir);
  try {
    return new StrataStore(options, files, lock, await recover(files, options.dir));
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
  readonly #budget: Budget;
  #reservedBytes = 0;
  #pool: Pool | undefined;
  #structure: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;
  #runningQueries = 0;

  constructor(options: StoreOptions, files: Files, lock: FolderLock, recovery: Recovery) {
    this.#options = options;
    this.#lock = lock;
    this.#generations = new Generations(files, options.dir, recovery.manifest);
    this.#damaged = new Map(recovery.damaged);
    this.#budget = {
      reserve: (sizeBytes) => {
        if (this.#memoryBytes() + this.#reservedBytes + sizeBytes > options.memoryBytes)
          throw new EngineError("STORE_OUT_OF_MEMORY", [options.memoryBytes]);
        this.#reservedBytes += sizeBytes;
      },
      release: (sizeBytes) => (this.#reservedBytes -= sizeBytes),
    };
    for (const { table, log } of recovery.tables)
      this.#tables.set(table.name, new StoredTable(table, log, this.#budget));
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
    return this.#change(table, { rows, ...(addColumns && { add: addColumns }) });
  }

  async alter({
    table,
    add,
    drop,
  }: {
    readonly table: string;
    readonly add?: readonly ColumnDefinition[];
    readonly drop?: readonly string[];
  }): Promise<TableInfo> {
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
    return this.#restructure(name, async () => {
      const old = this.#damaged.has(name) && columns ? undefined : this.#find(name);
      await old?.settle();
      const change: TableChange = { add: columns ?? old?.table.definitions ?? [], rows };
      checkChange(name, [], change);
      const reservedBytes = estimateBytes(change, change.add?.length ?? 0, 0);
      this.#budget.reserve(reservedBytes);
      try {
        const version = old?.table.version ?? this.#generations.versionFloor + 1_000_000;
        const stored = await this.#generate(name, change, old?.table.temporary ?? false, version);
        await this.#retire(name, old);
        return stored.table.info();
      } finally {
        this.#budget.release(reservedBytes);
      }
    });
  }

  async drop({ table: name }: { readonly table: string }): Promise<void> {
    return this.#restructure(name, async () => {
      const old = this.#damaged.has(name) ? undefined : this.#find(name);
      await old?.settle();
      if (old?.table.temporary) this.#generations.forgetTemporary(old.table.version);
      else await this.#generations.forget(name, old?.table.version ?? 0);
      this.#tables.delete(name);
      await this.#retire(name, old);
    });
  }

  async query(plan: Plan, { signal }: QueryOptions = {}): Promise<Answer> {
    if (this.#closing) throw new EngineError("STORE_CLOSED");
    if (signal?.aborted) throw new EngineError("QUERY_CANCELLED");
    const snapshot = this.#find(plan.table).table.snapshot();
    const { plan: bound, answer } = bindPlan(plan, snapshot);
    this.#pool ??= new Pool({ workers: this.#options.workers });
    this.#runningQueries++;
    try {
      const { columns, scannedRowCount } = await this.#pool.run(bound, signal);
      return presentAnswer(columns, answer, snapshot.version, scannedRowCount);
    } catch (error) {
      if (this.#closing) throw new EngineError("STORE_CLOSED", [], { cause: error });
      throw error;
    } finally {
      this.#runningQueries--;
    }
  }

  stats(): StoreStats {
    let rowCount = 0;
    for (const { table } of this.#tables.values()) rowCount += table.rowCount;
    return {
      tableCount: this.#tables.size,
      rowCount,
      memoryBytes: this.#memoryBytes(),
      workers: this.#options.workers,
      queuedQueries: Math.min(this.#runningQueries, this.#pool?.queuedTasks ?? 0),
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
      for (const stored of this.#tables.values()) await stored.close();
    } finally {
      await this.#lock.release();
    }
  }

  #memoryBytes(): number {
    let sum = 0;
    for (const { table } of this.#tables.values()) sum += table.memoryBytes;
    return sum;
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
    this.#checkWritable();
    for (let busy = this.#changing.get(name); busy; busy = this.#changing.get(name)) await busy;
    this.#checkWritable();
    return this.#find(name).change(change);
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
    const table = new Table(name, [], temporary, version);
    const log = temporary ? undefined : await this.#generations.start(name, change, version);
    table.apply(change);
    const stored = new StoredTable(table, log, this.#budget);
    this.#tables.set(name, stored);
    return stored;
  }

  /** Removes what a table was before: its file, or puts it aside when it was damaged. */
  async #retire(name: string, old: StoredTable | undefined): Promise<void> {
    if (old) {
      await old.close();
      if (old.log) await this.#generations.remove(old.log);
    }
    const damage = this.#damaged.get(name);
    if (!damage) return;
    await this.#generations.setAside(damage.file);
    this.#damaged.delete(name);
  }
}
