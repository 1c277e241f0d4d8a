import { EngineError } from "../errors.ts";
import { TimeSlices } from "../fair/index.ts";
import type { Files } from "../files/files.ts";
import type { FolderLock } from "../files/folderLock.ts";
import { rowGroupSize } from "../column/segment/segment.ts";
import { canSealColumns } from "../ingest/sealColumns.ts";
import type { Memory } from "../memory/memory.ts";
import { Pool } from "../pool/pool.ts";
import type { Snapshot } from "../table/snapshot.ts";
import type { TableChange } from "../table/table.ts";
import type {
  Answer,
  ColumnDefinition,
  DecodedRows,
  DecodeRequest,
  FillRequest,
  NamedBatch,
  Plan,
  QueryOptions,
  Store,
  StoreSnapshot,
  StoreStats,
  TableDefinition,
  TableInfo,
  TableUpdate,
  UpdateCounts,
  UpdateRequest,
} from "../types.ts";
import { startOrdering, type Ordering } from "../warming/startOrdering.ts";
import { warmOperators } from "../warming/warmOperators.ts";
import { checkChange, checkColumns, checkFilled, checkShape } from "./changes/checkChange.ts";
import type { BatchedRows } from "./changes/fillTable.ts";
import { fillingOf } from "./changes/fillingOf.ts";
import { RowEncoder } from "./changes/rowEncoder.ts";
import { estimateBytes } from "./changes/estimateBytes.ts";
import { refillTable } from "./tables/refillTable.ts";
import { answerPlan } from "./queries/answerPlan.ts";
import { FilteredJoins } from "./queries/filteredJoins.ts";
import { Generations } from "./generations/generations.ts";
import { plannedColumns } from "./queries/plannedColumns.ts";
import type { Recovery } from "./generations/recover.ts";
import { snapshotFiles } from "./generations/snapshotFiles.ts";
import { Residency } from "./residency/residency.ts";
import { retypeColumns } from "./tables/retypeColumns.ts";
import { RunningWork } from "./runningWork.ts";
import { startSweeping } from "./startSweeping.ts";
import type { PinnedSnapshot } from "./tables/tablePins.ts";
import type { StoredTable } from "./tables/storedTable.ts";
import { TableSet } from "./tables/tableSet.ts";
import { checkUpdate } from "./updates/checkUpdate.ts";
import { findRows, readColumns } from "./updates/findRows.ts";
import { planUpdate, type PlannedUpdate } from "./updates/planUpdate.ts";

const noRows: UpdateCounts = { updated: 0, inserted: 0, deleted: 0, ignored: 0 };

/** The opened parts from which `StrataStore` is created. */
export interface StrataParts {
  readonly dir: string;
  readonly workers: number;
  readonly files: Files;
  readonly lock: FolderLock;
  readonly memory: Memory;
  readonly recovery: Recovery;
  /** Bytes of a log above which its table is compacted. */
  readonly logBytes: number;
  /** Milliseconds between two sweeps of the arenas. */
  readonly sweptEveryMs: number;
}

/** The store of a folder that has been locked and read. */
export class StrataStore implements Store {
  readonly #dir: string;
  readonly #files: Files;
  readonly #workers: number;
  readonly #lock: FolderLock;
  readonly #memory: Memory;
  readonly #generations: Generations;
  readonly #tables: TableSet;
  readonly #filteredJoins = new FilteredJoins();
  readonly #encoder: RowEncoder;
  readonly #slices = new TimeSlices();
  /** Running fills. Changes of columns, and later changes of rows, wait for them. */
  readonly #filling = new RunningWork();
  readonly #sweeping: { end(): Promise<void> };
  readonly #ordering: Ordering;
  /** Number of queries that have not been answered yet. */
  #unansweredCount = 0;
  #warming: Promise<void> | undefined;
  #warmingFailure: string | undefined;
  #pool: Pool | undefined;
  #closing: Promise<void> | undefined;
  #hasSnapshot = false;

  constructor({ workers, files, lock, memory, recovery, ...parts }: StrataParts) {
    this.#dir = parts.dir;
    this.#files = files;
    this.#workers = workers;
    this.#memory = memory;
    this.#lock = lock;
    this.#encoder = new RowEncoder(() => this.#threads());
    this.#generations = new Generations(files, parts.dir, recovery.manifest);
    const residency = new Residency(memory);
    this.#tables = new TableSet(
      { files, memory, residency, generations: this.#generations },
      recovery,
      parts.logBytes,
    );
    this.#sweeping = startSweeping({
      memory,
      tables: this.#tables,
      pool: () => this.#pool,
      everyMs: parts.sweptEveryMs,
    });
    this.#ordering = startOrdering({
      dictionaries: () =>
        this.#tables
          .all()
          .flatMap(({ table }) => table.columns.map(({ dictionary }) => dictionary)),
      isBusy: () => this.#unansweredCount > 0 || this.#filling.isAny,
    });
  }

  tables(): readonly TableInfo[] {
    return this.#tables.all().map(({ table }) => table.info());
  }

  table(name: string): TableInfo | undefined {
    return this.#tables.get(name)?.table.info();
  }

  textCounts(name: string): ReadonlyMap<string, number> | undefined {
    return this.#tables.get(name)?.table.textCounts();
  }

  async create({ name, columns, temporary = false }: TableDefinition): Promise<TableInfo> {
    return this.#tables.change(name, async () => {
      this.#tables.checkSound(name);
      if (this.#tables.get(name)) throw new EngineError("TABLE_EXISTS", [name]);
      if (typeof name !== "string" || name === "")
        throw new EngineError("BATCH_MALFORMED", ["table names must be non-empty strings"]);
      checkColumns(name, [], columns);
      const stored = await this.#tables.generate(
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
    const before = this.#filling.lastOf(table);
    if (before) await before;
    if (!addColumns && canSealColumns(rows)) return this.#appendSealed(table, rows);
    return this.#change(table, { ...fillingOf(rows), ...(addColumns && { add: addColumns }) });
  }

  /** Adds rows whose columns a thread checks and seals. */
  #appendSealed(name: string, rows: NamedBatch): Promise<TableInfo> {
    this.#tables.checkWritable();
    const { table } = this.#tables.find(name);
    checkShape(rows);
    const { names, batch } = rows;
    const columns = names.map((column, index) => ({
      name: column,
      type: batch.columns[index].type,
    }));
    checkFilled(name, table.definitions, columns);
    const applied = this.#encoder
      .seal(rows, table.rowCount % rowGroupSize)
      .then((sealed) => this.#fill(name, sealed));
    this.#filling.note(name, applied);
    return applied;
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
    const before = this.#filling.lastOf(table);
    if (before) await before;
    if (retype && retype.length > 0)
      return this.#tables.change(table, async () => {
        const stored = this.#tables.find(table);
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
    const before = this.#filling.lastOf(name);
    if (before) await before;
    return this.#replace(name, columns, fillingOf(rows));
  }

  async update(request: UpdateRequest): Promise<TableUpdate> {
    const { table: name } = request;
    const before = this.#filling.lastOf(name);
    if (before) await before;
    let planned: PlannedUpdate | undefined;
    const info = await this.#tables.whenFree(name, (stored) =>
      stored.changeAfter(async () => {
        planned = await this.#planUpdate(stored, request);
        return "change" in planned ? planned.change : undefined;
      }),
    );
    this.#ordering.note();
    if (planned && "counts" in planned) return { info, counts: planned.counts };
    return { info, counts: noRows, ...planned };
  }

  /** Finds the rows of an update and plans its change. Meanwhile, the table must not change. */
  async #planUpdate(stored: StoredTable, request: UpdateRequest): Promise<PlannedUpdate> {
    const { definitions } = stored.table;
    checkUpdate(request, definitions);
    const pinned = await stored.pin(readColumns(request, definitions));
    if (!pinned) throw new EngineError("TABLE_UNKNOWN", [request.table]);
    try {
      const { snapshot } = pinned;
      const parts = { memory: this.#memory, pool: this.#threads() };
      return planUpdate(request, await findRows(request, snapshot, parts), snapshot);
    } finally {
      pinned.end();
    }
  }

  async decode(request: DecodeRequest): Promise<DecodedRows> {
    if (this.#closing) throw new EngineError("STORE_CLOSED");
    return this.#encoder.decode(request);
  }

  async fillBatches(request: FillRequest): Promise<TableInfo> {
    this.#tables.checkWritable();
    const { table: name, columns, batches, mode = "append", definitions } = request;
    const { table } = this.#tables.find(name);
    const after = (mode === "replace" && definitions) || table.definitions;
    if (definitions) checkColumns(name, [], definitions);
    checkFilled(name, after, columns);
    const openRowCount = () => (mode === "append" ? table.rowCount % rowGroupSize : 0);
    const rows = { columns, batches: this.#encoder.sealEach(batches, openRowCount) };
    const before = this.#filling.lastOf(name);
    const parts = { tables: this.#tables, generations: this.#generations, memory: this.#memory };
    const applied = Promise.allSettled([before]).then(() =>
      mode === "append" ? this.#fill(name, rows) : refillTable(name, rows, parts, definitions),
    );
    this.#filling.note(name, applied);
    try {
      const info = await applied;
      this.#ordering.note();
      return info;
    } catch (error) {
      if (this.#closing) throw new EngineError("STORE_CLOSED", [], { cause: error });
      throw error;
    }
  }

  /** Adds rows to a table. */
  #fill(name: string, rows: BatchedRows): Promise<TableInfo> {
    return this.#tables.whenFree(name, (stored) => stored.fill(rows));
  }

  async warm(): Promise<void> {
    if (this.#closing) throw new EngineError("STORE_CLOSED");
    const pool = this.#threads();
    await pool.ready();
    this.#warming ??= warmOperators({
      memory: this.#memory,
      pool,
      workers: this.#workers,
      isBusy: () => this.#unansweredCount > 0 || this.#filling.isAny,
      isClosing: () => this.#closing !== undefined,
    }).catch((error: unknown) => {
      this.#warmingFailure = error instanceof Error ? error.message : String(error);
    });
    await this.#warming;
    this.#ordering.note();
  }

  async #replace(
    name: string,
    columns: readonly ColumnDefinition[] | undefined,
    filling: TableChange,
  ): Promise<TableInfo> {
    return this.#tables.change(name, async () => {
      const old = this.#tables.isDamaged(name) && columns ? undefined : this.#tables.find(name);
      await old?.untilDone();
      const change: TableChange = { add: columns ?? old?.table.definitions ?? [], ...filling };
      checkChange(name, [], change);
      const reservedBytes = estimateBytes(change, change.add?.length ?? 0, 0);
      this.#memory.reserve(reservedBytes);
      try {
        const version = old?.table.version ?? this.#generations.versionFloor + 1_000_000;
        const stored = await this.#tables.generate(
          name,
          change,
          old?.table.temporary ?? false,
          version,
        );
        await this.#tables.retire(name, old);
        this.#ordering.note();
        return stored.table.info();
      } finally {
        this.#memory.release(reservedBytes);
      }
    });
  }

  async drop({ table: name }: { readonly table: string }): Promise<void> {
    const before = this.#filling.lastOf(name);
    if (before) await before;
    return this.#tables.change(name, async () => {
      const old = this.#tables.isDamaged(name) ? undefined : this.#tables.find(name);
      await old?.untilDone();
      if (old?.table.temporary) this.#generations.forgetTemporary(old.table.version);
      else await this.#generations.forget(name, old?.table.version ?? 0);
      this.#tables.delete(name);
      await this.#tables.retire(name, old);
    });
  }

  async query(plan: Plan, options: QueryOptions = {}): Promise<Answer> {
    if (this.#closing) throw new EngineError("STORE_CLOSED");
    if (options.signal?.aborted) throw new EngineError("QUERY_CANCELLED");
    const pins: PinnedSnapshot[] = [];
    this.#unansweredCount++;
    try {
      const snapshots = new Map<string, Snapshot>();
      for (const [name, columns] of plannedColumns(plan)) {
        const pinned = await this.#pin(name, columns);
        pins.push(pinned);
        snapshots.set(name, pinned.snapshot);
      }
      if (options.signal?.aborted) throw new EngineError("QUERY_CANCELLED");
      const parts = {
        tables: this.#tables,
        memory: this.#memory,
        pool: this.#threads(),
        slices: this.#slices,
        filteredJoins: this.#filteredJoins,
      };
      return await answerPlan(plan, snapshots, parts, options);
    } catch (error) {
      if (this.#closing) throw new EngineError("STORE_CLOSED", [], { cause: error });
      // This error means that the plan would create a string or an array that is too long for JavaScript.
      if (error instanceof RangeError)
        throw new EngineError("QUERY_OUT_OF_MEMORY", [], { cause: error });
      throw error;
    } finally {
      this.#unansweredCount--;
      for (const pinned of pins) pinned.end();
    }
  }

  async compact({ table }: { readonly table?: string } = {}): Promise<void> {
    if (table !== undefined) {
      this.#tables.checkWritable();
      return this.#tables.compact(this.#tables.find(table));
    }
    for (const stored of this.#tables.all()) {
      const { name } = stored.table;
      this.#tables.checkWritable();
      await this.#tables.compact(stored).catch((error: unknown) => {
        if (this.#tables.get(name) === stored || this.#tables.isDamaged(name)) throw error;
      });
    }
  }

  async snapshot(): Promise<StoreSnapshot> {
    if (this.#closing) throw new EngineError("STORE_CLOSED");
    if (this.#hasSnapshot) throw new EngineError("SNAPSHOT_OPEN");
    this.#hasSnapshot = true;
    try {
      const snapshot = await snapshotFiles({
        files: this.#files,
        dir: this.#dir,
        generations: this.#generations,
        tables: this.#tables,
      });
      const end = async () => {
        await snapshot.end();
        this.#hasSnapshot = false;
      };
      return { ...snapshot, end };
    } catch (failure) {
      this.#hasSnapshot = false;
      throw failure;
    }
  }

  async health(): Promise<void> {
    this.#tables.checkWritable();
    await this.#threads().health();
    this.#tables.checkWritable();
  }

  stats(): StoreStats {
    const { compactionFailure } = this.#tables;
    const partitioningRefusal = this.#pool?.partitioningRefusal;
    const waitingCount = this.#pool?.queuedQueries ?? 0;
    return {
      tableCount: this.#tables.size,
      rowCount: this.#tables.all().reduce((sum, { table }) => sum + table.visibleCount, 0),
      memoryBytes: this.#memory.usedBytes,
      arenaBytes: this.#memory.arenaBytes,
      workers: this.#workers,
      queuedQueries: waitingCount,
      runningQueries: Math.max(0, this.#unansweredCount - waitingCount),
      ...(compactionFailure !== undefined && { compactionFailure }),
      ...(this.#warmingFailure !== undefined && { warmingFailure: this.#warmingFailure }),
      ...(partitioningRefusal !== undefined && { partitioningRefusal }),
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#tables.startClosing();
    this.#ordering.end();
    const swept = this.#sweeping.end();
    try {
      await this.#pool?.close();
      await swept;
      await this.#warming;
      await this.#tables.close();
      await this.#filling.end();
    } finally {
      await this.#lock.release();
    }
  }

  #threads(): Pool {
    this.#pool ??= new Pool({ workers: this.#workers, memory: this.#memory });
    return this.#pool;
  }

  async #change(name: string, change: TableChange): Promise<TableInfo> {
    const info = await this.#tables.whenFree(name, (stored) => stored.change(change));
    this.#ordering.note();
    return info;
  }

  /** Pins a table with the columns of a query in memory. If the table is replaced meanwhile, pins the new table. */
  async #pin(name: string, columns: ReadonlySet<string>): Promise<PinnedSnapshot> {
    for (;;) {
      if (this.#closing) throw new EngineError("STORE_CLOSED");
      const pinned = await this.#tables.find(name).pin(columns);
      if (pinned) return pinned;
    }
  }
}
