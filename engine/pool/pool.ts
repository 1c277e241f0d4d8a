import { Piscina } from "piscina";
import { rowGroupSize, segmentRecordDoubles } from "../column/segment.ts";
import { EngineError } from "../errors.ts";
import type {
  IngestAnswer,
  IngestFailure,
  IngestTask,
  SealAnswer,
  SealTask,
} from "../ingest/messages.ts";
import { collectGarbage } from "../memory/collectGarbage.ts";
import type { Block, Memory } from "../memory/memory.ts";
import { Arena } from "../operators/arena.ts";
import { cutAnswer } from "../operators/cutAnswer.ts";
import { finishDirect, type DirectStates, type Percentiles } from "../operators/finishDirect.ts";
import { finishHash, orderedByKeys, type FinishedColumns } from "../operators/finishHash.ts";
import { finishRows } from "../operators/finishRows.ts";
import { Heap } from "../operators/heap.ts";
import { joinParts } from "../operators/joinParts.ts";
import type { LaneGroups, MadeTexts } from "../operators/laneGroups.ts";
import { canSplit } from "../operators/splitGroups.ts";
import { compileScan, laneBytes, type Scan } from "../operators/scan.ts";
import type { BoundGrouping, BoundPlan } from "../plan/boundPlan.ts";
import { FairQueue } from "./fairQueue.ts";
import { gatherPercentiles } from "./gatherPercentiles.ts";
import {
  controlCancelled,
  startupReady,
  type ColumnsAnswer,
  type Failure,
  type LetGoTask,
  type WarmKernelsTask,
  type Memories,
  type NeedsMemories,
  type QueryTask,
  type ScanAnswer,
  type ScanTask,
} from "./messages.ts";

export interface PoolOptions {
  readonly workers: number;
  readonly memory: Memory;
  /** Queries that may wait; past them a query is refused with STORE_BUSY. */
  readonly queueLength?: number;
  /** Heap of one worker; past it a query fails with QUERY_OUT_OF_MEMORY. */
  readonly workerHeapMb?: number;
}

export interface PoolAnswer {
  readonly columns: readonly Float64Array[];
  /** What the codes of made texts stand for, by output. */
  readonly texts?: readonly MadeTexts[];
  readonly scannedRowCount: number;
}

/** Values up to which answers are finished on the main thread: about a millisecond of work. */
const inlineValues = 20_000;

/** Values that take as long as the merge of a digest. */
const valuesPerDigest = 50;

/** How long a thread may take to load; one that died meanwhile is not waited for any longer. */
const mostLoadMs = 5000;

/** Queries that run at a time, for each worker: one that scans, and one whose next phase can follow at once. */
const queriesPerWorker = 2;

const workerUrl = new URL(
  import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js",
  import.meta.url,
);

/** A fixed number of threads that run bound plans. */
export class Pool {
  readonly #piscina: Piscina;
  readonly #workers: number;
  /** Threads that were started so far: one that ends has a successor. */
  #startedCount: number;
  readonly #memory: Memory;
  readonly #queue: FairQueue;
  /** One task a thread, so that a query waits for one of them at most. */
  readonly #encodings: FairQueue;
  readonly #startup = new Int32Array(new SharedArrayBuffer(4));
  readonly #closed = Promise.withResolvers<void>();
  readonly #controls = new Set<Int32Array>();
  readonly #arenas: Arena[] = [];
  readonly #heap = new Heap();

  constructor({ workers, memory, queueLength = 1024, workerHeapMb = 2048 }: PoolOptions) {
    this.#workers = workers;
    this.#startedCount = workers;
    this.#memory = memory;
    this.#queue = new FairQueue(workers * queriesPerWorker, queueLength);
    this.#encodings = new FairQueue(workers, Infinity);
    this.#piscina = new Piscina({
      filename: workerUrl.href,
      minThreads: workers,
      maxThreads: workers,
      workerData: this.#startup,
      idleTimeout: Infinity,
      maxQueue: workers * workers * queriesPerWorker * 4,
      resourceLimits: { maxOldGenerationSizeMb: workerHeapMb },
    });
    this.#piscina.on("error", () => undefined);
    this.#piscina.on("workerDestroy", () => this.#startedCount++);
  }

  get queuedQueries(): number {
    return this.#queue.waiting;
  }

  /**
   * Runs a plan when it is its turn: at most one task a worker and phase, lanes taken from a shared counter. Aborting
   * `signal` sets a flag that workers read before every row group. The caller keeps the plan's columns readable.
   * @throws {EngineError} STORE_BUSY, QUERY_CANCELLED, QUERY_OUT_OF_MEMORY, WORKER_FAILED
   */
  async run(
    plan: BoundPlan,
    { signal, tenant = "" }: { readonly signal?: AbortSignal; readonly tenant?: string } = {},
  ): Promise<PoolAnswer> {
    if (signal?.aborted) throw new EngineError("QUERY_CANCELLED");
    return this.#queue.run(tenant, signal, async () => {
      const control = new Int32Array(new SharedArrayBuffer(8));
      const cancel = () => Atomics.store(control, controlCancelled, 1);
      if (signal?.aborted) throw new EngineError("QUERY_CANCELLED");
      signal?.addEventListener("abort", cancel);
      this.#controls.add(control);
      const scratch: Block[] = [];
      try {
        const answer = await this.#runPlan(plan, control, cancel, scratch);
        if (signal?.aborted) throw new EngineError("QUERY_CANCELLED");
        return answer;
      } catch (error) {
        if (signal?.aborted) throw new EngineError("QUERY_CANCELLED", [], { cause: error });
        throw error;
      } finally {
        for (const block of scratch) this.#memory.freeScratch(block);
        signal?.removeEventListener("abort", cancel);
        this.#controls.delete(control);
      }
    });
  }

  /**
   * Encodes a part of ingested bytes, at most one a thread at a time.
   * @throws {EngineError} STORE_CLOSED, QUERY_OUT_OF_MEMORY, WORKER_FAILED
   */
  encode(task: IngestTask): Promise<IngestAnswer | IngestFailure>;
  /** As above, and seals what is encoded. */
  encode(task: SealTask): Promise<SealAnswer | IngestFailure>;
  encode(task: IngestTask | SealTask): Promise<IngestAnswer | SealAnswer | IngestFailure> {
    return this.#encodings.run("", undefined, async () => {
      try {
        return (await this.#piscina.run(task)) as IngestAnswer | SealAnswer | IngestFailure;
      } catch (cause) {
        throw toEngineError(cause, this.#queue.waiting);
      }
    });
  }

  /**
   * Resolves when as many threads have started as the pool has, or when it is closed.
   * @throws {EngineError} WORKER_FAILED when one ends meanwhile
   */
  async ready(): Promise<void> {
    const failed = Promise.withResolvers<never>();
    const fail = (cause: unknown) => failed.reject(toEngineError(cause, 0));
    this.#piscina.on("error", fail);
    let isClosed = false;
    const closed = this.#closed.promise.then(() => (isClosed = true));
    try {
      while (!isClosed) {
        const count = Atomics.load(this.#startup, startupReady);
        if (count >= this.#workers) return;
        const started = Atomics.waitAsync(this.#startup, startupReady, count).value;
        await Promise.race([started, closed, failed.promise]);
      }
    } finally {
      this.#piscina.off("error", fail);
    }
  }

  /**
   * Has a thread warm the kernels, whose compiled code the threads share: about 0.1 s, when it is its turn.
   * @throws {EngineError} STORE_BUSY, STORE_CLOSED, WORKER_FAILED
   */
  warmKernels(): Promise<void> {
    return this.#queue.run("", undefined, async () => {
      try {
        await this.#piscina.run({ kind: "warmKernels" } satisfies WarmKernelsTask);
      } catch (cause) {
        throw toEngineError(cause, this.#queue.waiting);
      }
    });
  }

  /**
   * Lets this thread and all others forget memories that were given up. False when that must wait, since it needs every
   * thread to rest: they are asked again then. The longest part is the system's, 60 ms a GiB in one of the threads.
   */
  async letGo(): Promise<boolean> {
    if (this.#queue.running > 0 || this.#encodings.running > 0) return false;
    this.#bindArenas();
    this.#heap.clear();
    collectGarbage();
    const task: LetGoTask = { kind: "letGo", memories: this.#passedMemories() };
    // Piscina gives tasks that come in one step to different threads when all rest.
    const asked = Array.from({ length: this.#workers }, () => this.#piscina.run(task));
    const settled = await Promise.allSettled(asked);
    return settled.every(({ status }) => status === "fulfilled");
  }

  /** Cancels what runs and ends the threads. */
  async close(): Promise<void> {
    this.#closed.resolve();
    this.#queue.clear();
    this.#encodings.clear();
    for (const control of this.#controls) Atomics.store(control, controlCancelled, 1);
    await this.#loaded();
    await this.#piscina.close();
  }

  /** Resolves when no thread is loading its module: one that is ended then brings down the process, by an assertion of Node 26 (`CreateRequiredModuleFacade`). */
  async #loaded(): Promise<void> {
    const giveUpAt = performance.now() + mostLoadMs;
    for (;;) {
      const count = Atomics.load(this.#startup, startupReady);
      const leftMs = giveUpAt - performance.now();
      if (count >= this.#startedCount || leftMs <= 0) return;
      await Atomics.waitAsync(this.#startup, startupReady, count, Math.min(leftMs, 100)).value;
    }
  }

  async #runPlan(
    plan: BoundPlan,
    control: Int32Array,
    cancel: () => void,
    scratch: Block[],
  ): Promise<PoolAnswer> {
    const arenas = this.#bindArenas();
    const used = this.#arenasOf(plan);
    const [homeArena] = used;
    const measured = this.#compile(plan, used);
    const groupCount = Math.ceil(plan.rowCount / rowGroupSize);
    const isCrowded = this.#queue.running > this.#workers;
    const taskCount = isCrowded
      ? 1
      : Math.max(1, Math.min(plan.laneCount, groupCount, this.#workers));
    const { grouping } = plan;
    const partCount = grouping?.mode === "hash" && canSplit(grouping) ? taskCount : 1;
    const laneSize = laneBytes(plan);
    const laneStates =
      laneSize > 0 ? this.#reserve(laneSize * plan.laneCount, homeArena, scratch) : 0;
    const bases = Array.from({ length: taskCount }, () =>
      this.#workspace(measured.sizeBytes, used, scratch),
    );
    const request = {
      kind: "scan" as const,
      memories: this.#memories(),
      plan,
      control,
      homeArena,
      partCount,
    };
    const tasks = bases.map((base): ScanTask => ({
      ...request,
      bases: base,
      laneStates,
      laneBytes: laneSize,
    }));
    const answers = await this.#scan(tasks, cancel);
    const scannedRowCount = answers.reduce((sum, answer) => sum + answer.scannedRowCount, 0);
    if (!grouping) return { ...(await this.#finishRows(plan, answers, control)), scannedRowCount };
    if (grouping.mode === "hash") {
      const finished = await this.#finishHash(plan, grouping, answers, partCount, control);
      return { ...finished, scannedRowCount };
    }
    for (const arena of arenas) arena.reach();
    const states: DirectStates = {
      bases: bases.map((base) => base[homeArena]),
      lanes: laneStates,
      laneBytes: laneSize,
    };
    const percentiles = await gatherPercentiles({
      grouping,
      layout: measured.layout,
      tasks,
      answers,
      arena: this.#arenas[homeArena],
      homeArena,
      compile: (requests) => this.#compile(plan, used, requests),
      workspace: (sizeBytes) => this.#workspace(sizeBytes, used, scratch),
      memories: () => this.#memories(),
      scan: (again) => this.#scan(again, cancel),
    });
    const columns = await this.#finishDirect(
      plan,
      grouping,
      measured,
      states,
      percentiles,
      homeArena,
      control,
    );
    return { columns, scannedRowCount };
  }

  #bindArenas(): readonly Arena[] {
    if (this.#memory.arenas.length === 0)
      this.#memory.freeScratch(this.#memory.allocateScratch(64, 0));
    this.#memory.arenas.forEach((memory, index) => {
      if (this.#arenas[index]?.memory !== memory) this.#arenas[index] = new Arena(memory);
      this.#arenas[index].reach();
    });
    return this.#arenas;
  }

  /** Lists the arenas in which a plan's columns lie, at least one. */
  #arenasOf({ columns }: BoundPlan): readonly number[] {
    const used = new Set<number>();
    for (const { directory, sealedCount, tail } of columns) {
      if (tail?.values) used.add(tail.values.arena);
      if (!directory) continue;
      const { f64 } = this.#arenas[directory.arena];
      for (let group = 0; group < sealedCount; group++) {
        const arena = f64[directory.offset / 8 + group * segmentRecordDoubles + 2];
        if (arena >= 0) used.add(arena);
      }
    }
    if (used.size === 0) used.add(0);
    return [...used].sort((left, right) => left - right);
  }

  #compile(
    plan: BoundPlan,
    used: readonly number[],
    requests?: Parameters<typeof compileScan>[2],
  ): Scan {
    const bases = this.#arenas.map((_, index) => (used.includes(index) ? 0 : -1));
    return compileScan(plan, { arenas: this.#arenas, bases, heap: this.#heap }, requests);
  }

  #workspace(sizeBytes: number, used: readonly number[], scratch: Block[]): readonly number[] {
    return this.#arenas.map((_, index) =>
      used.includes(index) ? this.#reserve(sizeBytes, index, scratch) : -1,
    );
  }

  #reserve(sizeBytes: number, arena: number, scratch: Block[]): number {
    const block = this.#memory.allocateScratch(sizeBytes, arena);
    scratch.push(block);
    return block.offset;
  }

  #scan(tasks: readonly ScanTask[], cancel: () => void): Promise<readonly ScanAnswer[]> {
    return this.#sendAll<ScanAnswer>(tasks, cancel);
  }

  /** Sends tasks and waits for all of them, also when one fails: they work on the same memory. */
  async #sendAll<Answer extends { readonly ok: true }>(
    tasks: readonly QueryTask[],
    cancel?: () => void,
  ): Promise<readonly Answer[]> {
    const running = tasks.map((task) => this.#send<Answer>(task));
    for (const task of running) task.catch(() => cancel?.());
    const settled = await Promise.allSettled(running);
    const failed = settled
      .filter((outcome) => outcome.status === "rejected")
      .map((outcome): unknown => outcome.reason);
    if (failed.length > 0)
      throw (
        failed.find(
          (error) => !(error instanceof EngineError && error.code === "QUERY_CANCELLED"),
        ) ?? failed[0]
      );
    return settled.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  }

  async #finishDirect(
    plan: BoundPlan,
    grouping: BoundGrouping,
    { layout }: Scan,
    states: DirectStates,
    percentiles: Percentiles,
    homeArena: number,
    control: Int32Array,
  ): Promise<readonly Float64Array[]> {
    if (!layout) return [];
    const { capacity } = grouping;
    const { distincts, sketches, digests } = layout;
    const bytes = [...distincts, ...sketches].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const merges = capacity * digests.length * plan.laneCount * valuesPerDigest;
    const work = capacity * grouping.slots.length + bytes / 128 + merges;
    if (work <= inlineValues)
      return cutAnswer(
        plan,
        finishDirect(
          plan,
          grouping,
          layout,
          states,
          percentiles,
          this.#arenas[homeArena],
          0,
          capacity,
        ),
      );
    const parts = Math.min(this.#workers, capacity);
    const memories = this.#memories();
    const columns = { ...plan, columns: [] };
    const answers = await this.#sendAll<ColumnsAnswer>(
      Array.from({ length: parts }, (_, part) => ({
        kind: "finishDirect",
        control,
        memories,
        plan: columns,
        homeArena,
        states,
        percentiles,
        from: Math.floor((capacity * part) / parts),
        to: Math.floor((capacity * (part + 1)) / parts),
      })),
    );
    return this.#cut(plan, joinParts(answers.map((answer) => answer.columns)), control);
  }

  async #finishHash(
    plan: BoundPlan,
    grouping: BoundGrouping,
    answers: readonly ScanAnswer[],
    partCount: number,
    control: Int32Array,
  ): Promise<FinishedColumns> {
    const found = answers
      .flatMap(({ results }) => results)
      .sort((left, right) => left.lane - right.lane)
      .flatMap(({ groups }) => (groups ? [groups] : []));
    const whole = found.flat();
    const valueCount = whole.reduce((sum, groups) => sum + countValues(groups), 0);
    if (valueCount <= inlineValues) return finishHash(plan, grouping, whole, this.#heap);
    const needed: BoundPlan = { ...plan, columns: [] };
    const parts = await this.#sendAll<ColumnsAnswer>(
      Array.from({ length: partCount }, (_, part) => ({
        kind: "finishHash",
        control,
        plan: needed,
        partCount,
        lanes: found.map((groups) => groups[part]),
      })),
    );
    const [{ columns, texts = [] }] = parts;
    if (partCount === 1) return { columns, texts };
    const joined = joinParts(parts.map((part) => part.columns));
    const ordered = orderedByKeys(plan, grouping);
    return { columns: await this.#cut(ordered, joined, control), texts };
  }

  async #finishRows(
    plan: BoundPlan,
    answers: readonly ScanAnswer[],
    control: Int32Array,
  ): Promise<FinishedColumns> {
    const lanes = answers
      .flatMap(({ results }) => results)
      .sort((left, right) => left.lane - right.lane)
      .flatMap(({ rows, texts = [] }) => (rows ? [{ rows, texts }] : []));
    const { cells = [], order } = plan;
    const valueCount = lanes.reduce((sum, { rows }) => sum + rows.length * rows[0].length, 0);
    const isPlain = order.length === 0 && cells.every(({ kind }) => kind !== "made");
    if (valueCount <= inlineValues || isPlain) return finishRows(plan, cells, lanes);
    const needed: BoundPlan = { ...plan, columns: [] };
    const { columns, texts = [] } = await this.#send<ColumnsAnswer>({
      kind: "finishRows",
      control,
      plan: needed,
      lanes,
    });
    return { columns, texts };
  }

  /** Sorts and cuts joined parts: here when it is little, else in a worker. */
  async #cut(
    plan: BoundPlan,
    columns: Float64Array[],
    control: Int32Array,
  ): Promise<readonly Float64Array[]> {
    const valueCount = columns.length * columns[0].length;
    if (valueCount <= inlineValues || plan.order.length === 0) return cutAnswer(plan, columns);
    const needed: BoundPlan = { ...plan, columns: [] };
    const cut = await this.#send<ColumnsAnswer>({ kind: "cut", control, plan: needed, columns });
    return cut.columns;
  }

  #memories(): Memories {
    const { arenas, versions } = this.#memory;
    return { sizes: arenas.map(({ buffer }) => buffer.byteLength), versions };
  }

  #passedMemories(): Memories {
    return { ...this.#memories(), passed: this.#memory.arenas };
  }

  async #send<Answer extends { readonly ok: true }>(task: QueryTask): Promise<Answer> {
    if (Atomics.load(task.control, controlCancelled) === 1)
      throw new EngineError("QUERY_CANCELLED");
    let answer: Answer | Failure | NeedsMemories;
    try {
      answer = await this.#piscina.run(task);
      if (answer.ok === "needsMemories" && "memories" in task) {
        answer = await this.#piscina.run({ ...task, memories: this.#passedMemories() });
      }
    } catch (cause) {
      throw toEngineError(cause, this.#queue.waiting);
    }
    if (answer.ok === "needsMemories") throw new EngineError("WORKER_FAILED", ["no memories"]);
    if (!answer.ok) throw new EngineError(answer.code, answer.details);
    return answer;
  }
}

/** What merging groups takes. */
function countValues({ groupCount, keys, slots, digests, ...groups }: LaneGroups): number {
  const pairs = [...groups.distincts, ...groups.lists, ...groups.sketches, ...digests];
  return (
    groupCount * (keys.length + slots.length) +
    pairs.reduce((sum, { values }) => sum + values.length, 0) +
    digests.reduce((sum, list) => sum + list.digests.length, 0)
  );
}

function toEngineError(cause: unknown, queued: number): EngineError {
  const message = cause instanceof Error ? cause.message : String(cause);
  const code = (cause as { code?: unknown } | null)?.code;
  if (code === "ERR_WORKER_OUT_OF_MEMORY")
    return new EngineError("QUERY_OUT_OF_MEMORY", [], { cause });
  if (/queue is at limit|No task queue available/i.test(message))
    return new EngineError("STORE_BUSY", [queued], { cause });
  return new EngineError("WORKER_FAILED", [message], { cause });
}
