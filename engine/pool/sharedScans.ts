import { EngineError } from "../errors.ts";
import { isInBackground, type Tenant } from "../fair/index.ts";
import type { BoundPlan } from "../plan/boundPlan.ts";
import type { MainArenas } from "./mainArenas.ts";
import {
  controlCancelled,
  controlNextLane,
  type NeedsMemories,
  type ScanAnswer,
  type ScansAnswer,
  type ScanTogetherTask,
  type SharedScan,
} from "./messages.ts";
import { noTenant } from "./noTenant.ts";
import type { Threads } from "./threads.ts";

interface Waiting {
  readonly scan: SharedScan;
  readonly tenant: Tenant;
  /** Creates a task that contains this scan and the scans that join it. */
  readonly task: () => ScanTogetherTask | undefined;
  readonly resolve: (answer: ScanAnswer) => void;
  readonly reject: (error: unknown) => void;
  /**
   * The scans of the task that this scan has started. Empty until that task starts, or if this scan has joined the task
   * of another scan.
   */
  together: readonly Waiting[];
}

/** Maximum number of scans per task. More scans save more reads, but each scan waits for all others. */
export const mostTogether = 8;
/** Maximum bytes of states that stay in the caches next to a row group's columns. */
const mostStateBytes = 2 ** 16;
const slotStateBytes = 32;

/** Returns whether the states of a plan's groups are small enough for several scans to share the caches. */
export function canShareScan({ grouping }: BoundPlan): boolean {
  if (grouping?.mode !== "direct") return false;
  const { capacity, slots, distincts, quantiles, sketches, digests } = grouping;
  const others = [distincts, quantiles, sketches, digests];
  return (
    others.every(({ length }) => length === 0) &&
    capacity * slots.length * slotStateBytes <= mostStateBytes
  );
}

/** Two tenants share a task only if neither has more waiting scans than the other has, times this number. */
const mostTimesAsMany = 4;

/**
 * Scans that share tasks. When a scan starts, waiting scans join it if they read the same table version and have a
 * column in common with it. Their task reads each row group once for all of them. This is faster, because two threads
 * do not read memory faster than one. Source: Zukowski, Héman, Nes, Boncz, Cooperative Scans (VLDB 2007). All scans are
 * answered when the task ends. Tenants with very different numbers of scans therefore do not share a task; see
 * `mostTimesAsMany`.
 */
export class SharedScans {
  readonly #threads: Pick<Threads, "run" | "withdraw">;
  readonly #arenas: Pick<MainArenas, "memories" | "passed">;
  #waiting: Waiting[] = [];

  constructor(
    threads: Pick<Threads, "run" | "withdraw">,
    arenas: Pick<MainArenas, "memories" | "passed">,
  ) {
    this.#threads = threads;
    this.#arenas = arenas;
  }

  /**
   * Runs all lanes of a scan in one thread, together with other waiting scans if possible.
   * @throws {EngineError} QUERY_CANCELLED, the scan's failure, and the errors of `Threads.run`
   */
  run(scan: SharedScan, tenant = noTenant): Promise<ScanAnswer> {
    return new Promise((resolve, reject) => {
      const task = () => {
        waiting.together = this.#take(waiting);
        return waiting.together.length === 0 ? undefined : this.#taskOf(waiting.together);
      };
      const waiting: Waiting = { scan, tenant, task, resolve, reject, together: [] };
      this.#waiting.push(waiting);
      void this.#scan(waiting);
    });
  }

  /**
   * Removes a scan, and the scans that join it, from the waiting scans, and returns all of them. Returns an empty list
   * if the scan already belongs to another task.
   */
  #take(first: Waiting): readonly Waiting[] {
    if (!this.#waiting.includes(first)) return [];
    const countOf = (tenant: Tenant) =>
      this.#waiting.filter((other) => isSame(other.tenant, tenant)).length;
    const columns = columnsOf(first.scan.plan);
    const firstCount = countOf(first.tenant);
    const isShared = ({ scan: { plan }, tenant }: Waiting) => {
      const count = countOf(tenant);
      return (
        plan.rowCount === first.scan.plan.rowCount &&
        isInBackground(tenant) === isInBackground(first.tenant) &&
        [...columnsOf(plan)].some((column) => columns.has(column)) &&
        count <= firstCount * mostTimesAsMany &&
        firstCount <= count * mostTimesAsMany
      );
    };
    const others = this.#waiting.filter((other) => other !== first && isShared(other));
    const together = [first, ...others.slice(0, mostTogether - 1)];
    this.#waiting = this.#waiting.filter((other) => !together.includes(other));
    for (const { task } of together) this.#threads.withdraw(task);
    return together.filter(({ scan, reject }) => {
      const isCancelled = Atomics.load(scan.control, controlCancelled) === 1;
      if (isCancelled) reject(new EngineError("QUERY_CANCELLED"));
      return !isCancelled;
    });
  }

  /** Runs a scan once a thread is free, together with the scans that are waiting at that time. */
  async #scan(first: Waiting): Promise<void> {
    try {
      const answer = await this.#threads.run<ScansAnswer | NeedsMemories | undefined>(first.task, {
        tenant: first.tenant,
        isLight: true,
      });
      if (answer) await this.#settle(first.together, answer);
    } catch (error) {
      if (first.together.length > 0) return this.#runSeparately(first.together, error);
      // The task did not start; another task may have included the scan.
      if (!this.#waiting.includes(first)) return;
      this.#waiting = this.#waiting.filter((other) => other !== first);
      first.reject(error);
    }
  }

  async #settle(together: readonly Waiting[], answer: ScansAnswer | NeedsMemories): Promise<void> {
    const { scans } = answer.ok === true ? answer : await this.#runWithMemories(together);
    together.forEach(({ resolve, reject }, index) => {
      const own = scans[index];
      if (own.ok) resolve(own);
      else reject(new EngineError(own.code, own.details));
    });
  }

  /** Runs each scan of a crashed thread again in a separate task, so that each scan gets its own error. */
  async #runSeparately(together: readonly Waiting[], error: unknown): Promise<void> {
    if (together.length === 1) return together[0].reject(error);
    for (const each of together) {
      Atomics.store(each.scan.control, controlNextLane, 0);
      try {
        const task = this.#taskOf([each]);
        await this.#settle(
          [each],
          await this.#threads.run(task, { tenant: each.tenant, isLight: true }),
        );
      } catch (own) {
        each.reject(own);
      }
    }
  }

  #taskOf(together: readonly Waiting[]): ScanTogetherTask {
    const scans = together.map(({ scan }) => scan);
    return { kind: "scanTogether", memories: this.#arenas.memories(), scans };
  }

  async #runWithMemories(together: readonly Waiting[]): Promise<ScansAnswer> {
    const task = { ...this.#taskOf(together), memories: this.#arenas.passed() };
    const answer = await this.#threads.run<ScansAnswer | NeedsMemories>(task, {
      tenant: together[0].tenant,
      isLight: true,
    });
    if (answer.ok === true) return answer;
    throw new EngineError("WORKER_FAILED", ["it did not bind the memories of its task"]);
  }
}

function isSame(one: Tenant, other: Tenant): boolean {
  return (
    one.organization === other.organization &&
    one.user === other.user &&
    isInBackground(one) === isInBackground(other)
  );
}

/** Returns the addresses of the columns that a plan reads. Different table versions have different addresses. */
function columnsOf({ columns }: BoundPlan): ReadonlySet<string> {
  return new Set(
    columns.flatMap(({ directory }) =>
      directory ? [`${directory.arena}:${directory.offset}`] : [],
    ),
  );
}
