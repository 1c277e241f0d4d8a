import { basename } from "node:path";
import { EngineError } from "../../errors.ts";
import { Table, type TableChange } from "../../table/table.ts";
import type { Damage, Recovery } from "../generations/recover.ts";
import type { Generation, StoreParts } from "../generations/rewriteTable.ts";
import { StoredTable } from "./storedTable.ts";

/** The tables of a store, by name. Tables are added, replaced and removed one at a time. */
export class TableSet {
  readonly #parts: StoreParts;
  readonly #logBytes: number;
  readonly #tables = new Map<string, StoredTable>();
  readonly #damaged: Map<string, Damage>;
  readonly #changing = new Map<string, Promise<unknown>>();
  #compactionFailure: string | undefined;
  #lastChange: Promise<unknown> = Promise.resolve();
  #isClosing = false;

  /** Creates the set with the recovered tables of a folder. A log is compacted only if it exceeds `logBytes` bytes. */
  constructor(parts: StoreParts, { damaged, tables }: Recovery, logBytes: number) {
    this.#parts = parts;
    this.#logBytes = logBytes;
    this.#damaged = new Map(damaged);
    for (const { table, ...generation } of tables) this.adopt(table, generation);
  }

  get size(): number {
    return this.#tables.size;
  }

  /** The reason why the last compaction in the background failed; undefined if it did not fail. */
  get compactionFailure(): string | undefined {
    return this.#compactionFailure;
  }

  all(): readonly StoredTable[] {
    return [...this.#tables.values()];
  }

  get(name: string): StoredTable | undefined {
    return this.#tables.get(name);
  }

  isDamaged(name: string): boolean {
    return this.#damaged.has(name);
  }

  /**
   * Returns a table by name.
   * @throws {EngineError} TABLE_DAMAGED, TABLE_UNKNOWN
   */
  find(name: string): StoredTable {
    this.checkSound(name);
    const stored = this.#tables.get(name);
    if (!stored) throw new EngineError("TABLE_UNKNOWN", [name]);
    return stored;
  }

  /**
   * Throws if a table is damaged.
   * @throws {EngineError} TABLE_DAMAGED
   */
  checkSound(name: string): void {
    const damage = this.#damaged.get(name);
    if (damage) throw new EngineError("TABLE_DAMAGED", [name, damage.reason]);
  }

  /**
   * Throws if the store accepts no changes.
   * @throws {EngineError} STORE_CLOSED, STORE_WRITE_FAILED
   */
  checkWritable(): void {
    if (this.#isClosing) throw new EngineError("STORE_CLOSED");
    const { broken } = this.#parts.generations;
    if (broken) throw new EngineError("STORE_WRITE_FAILED", [broken]);
  }

  /**
   * Calls a function with a table once all earlier changes have ended, without yielding in between. Later changes start
   * after the call.
   */
  async whenFree<Result>(
    name: string,
    run: (stored: StoredTable) => Promise<Result>,
  ): Promise<Result> {
    this.checkWritable();
    const before = this.#changing.get(name);
    if (!before) return run(this.find(name));
    const started = before.then(() => {
      this.checkWritable();
      return { answer: run(this.find(name)) };
    });
    void this.#follow(name, started);
    const { answer } = await started;
    return answer;
  }

  /** Adds, replaces or removes a table. Changes to the rows of this table wait meanwhile. */
  change<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
    const result = Promise.all([this.#lastChange, this.#changing.get(name)]).then(() => {
      this.checkWritable();
      return run();
    });
    this.#lastChange = this.#follow(name, result);
    return result;
  }

  /** Makes later calls for the same table wait until `work` has ended, whether it succeeds or fails. */
  #follow(name: string, work: Promise<unknown>): Promise<void> {
    const done = work.then(
      () => undefined,
      () => undefined,
    );
    const forgotten = done.finally(() => {
      if (this.#changing.get(name) === forgotten) this.#changing.delete(name);
    });
    this.#changing.set(name, forgotten);
    return done;
  }

  /**
   * Creates a new generation of a table that starts with a change, and replaces the previous table with the new one.
   */
  async generate(
    name: string,
    change: TableChange,
    temporary: boolean,
    version: number,
  ): Promise<StoredTable> {
    const { generations, memory } = this.#parts;
    const table = new Table(name, memory, temporary, version);
    const log = temporary ? undefined : await generations.start(name, [change], version);
    table.apply(change);
    return this.adopt(table, log && { log, changeCount: 1 });
  }

  /** Replaces the previous table of the same name. If `generation` is undefined, the new table is temporary. */
  adopt(table: Table, generation: Generation | undefined): StoredTable {
    const events = {
      damaged: (stored: StoredTable, reason: string) => this.#takeOut(stored, reason),
      logGrown: (stored: StoredTable) => this.#compactInBackground(stored),
      deletesGrown: (stored: StoredTable) => this.#foldInBackground(stored),
    };
    const stored = new StoredTable(table, generation, this.#parts, events, this.#logBytes);
    this.#tables.set(table.name, stored);
    if (stored.isLogGrown) this.#compactInBackground(stored);
    if (stored.areDeletesMany) this.#foldInBackground(stored);
    return stored;
  }

  delete(name: string): void {
    this.#tables.delete(name);
  }

  /** Removes the files of a replaced table, or sets them aside if they were damaged. */
  async retire(name: string, old: StoredTable | undefined): Promise<void> {
    const { generations } = this.#parts;
    if (old) {
      await old.close();
      for (const path of old.paths) await generations.remove(path);
    }
    const damage = this.#damaged.get(name);
    if (!damage) return;
    for (const file of damage.files) await generations.setAside(file);
    this.#damaged.delete(name);
  }

  compact(stored: StoredTable): Promise<void> {
    const { name } = stored.table;
    return stored.compact((run) =>
      this.change(name, async () => {
        if (this.#tables.get(name) === stored) await run();
      }),
    );
  }

  /** Rejects further changes. */
  startClosing(): void {
    this.#isClosing = true;
  }

  /** Waits for the current change and closes all tables. */
  async close(): Promise<void> {
    this.startClosing();
    await this.#lastChange;
    for (const stored of this.#tables.values()) {
      await stored.close();
      await stored.endCompaction();
    }
  }

  #compactInBackground(stored: StoredTable): void {
    if (stored.isCompacting) return;
    this.compact(stored).then(
      () => (this.#compactionFailure = undefined),
      (error: unknown) => this.#noteFailure(stored, error),
    );
  }

  #foldInBackground(stored: StoredTable): void {
    const { name } = stored.table;
    this.change(name, async () => {
      if (this.#tables.get(name) === stored && stored.areDeletesMany) await stored.fold();
    }).then(
      () => (this.#compactionFailure = undefined),
      (error: unknown) => this.#noteFailure(stored, error),
    );
  }

  #noteFailure(stored: StoredTable, error: unknown): void {
    const { name } = stored.table;
    if (this.#isClosing || this.#tables.get(name) !== stored) return;
    const reason = error instanceof Error ? error.message : String(error);
    this.#compactionFailure = `${name}: ${reason}`;
  }

  /** Stops using a table whose files are damaged. The files stay unchanged. */
  #takeOut(stored: StoredTable, reason: string): void {
    const { name, temporary } = stored.table;
    if (this.#tables.get(name) !== stored) return;
    this.#tables.delete(name);
    if (!temporary)
      this.#damaged.set(name, { files: stored.paths.map((path) => basename(path)), reason });
    void stored.close().catch(() => undefined);
  }
}
