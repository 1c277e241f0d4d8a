import { EngineError } from "../errors.ts";
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
import type { Threads } from "./threads.ts";

interface Waiting {
  readonly scan: SharedScan;
  readonly resolve: (answer: ScanAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/** Scans of one task. More of them save more reading; each waits for all. */
export const mostTogether = 8;
/** States that stay in the caches beside what is read of a row group. */
const mostStateBytes = 2 ** 16;
const slotStateBytes = 32;

/** Whether a plan has so few groups, and of each so little, that several scans can share the caches. */
export function canShareScan({ grouping }: BoundPlan): boolean {
  if (grouping?.mode !== "direct") return false;
  const { capacity, slots, distincts, quantiles, sketches, digests } = grouping;
  const others = [distincts, quantiles, sketches, digests];
  return (
    others.every(({ length }) => length === 0) &&
    capacity * slots.length * slotStateBytes <= mostStateBytes
  );
}

/**
 * Scans that wait for a thread: with the first one go others that read a column of the same version of a table, in one task, row group by row group. Two threads
 * read memory no faster than one does, so what several queries read is read once for all of them ("cooperative scans": Zukowski, Héman, Nes, Boncz, VLDB 2007).
 */
export class SharedScans {
  readonly #threads: Pick<Threads, "run" | "count">;
  readonly #arenas: Pick<MainArenas, "memories" | "passed">;
  #waiting: Waiting[] = [];
  #running = 0;

  constructor(
    threads: Pick<Threads, "run" | "count">,
    arenas: Pick<MainArenas, "memories" | "passed">,
  ) {
    this.#threads = threads;
    this.#arenas = arenas;
  }

  /**
   * Runs all lanes of a scan in one thread, beside others where there are some.
   * @throws {EngineError} QUERY_CANCELLED, what the scan failed with, and what `Threads.run` throws
   */
  run(scan: SharedScan): Promise<ScanAnswer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ scan, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    while (this.#running < this.#threads.count) {
      const [first] = this.#waiting;
      if (!first) return;
      const columns = columnsOf(first.scan.plan);
      const reads = ({ plan }: SharedScan) =>
        plan.rowCount === first.scan.plan.rowCount &&
        [...columnsOf(plan)].some((column) => columns.has(column));
      const together = this.#waiting
        .filter((other) => other === first || reads(other.scan))
        .slice(0, mostTogether);
      this.#waiting = this.#waiting.filter((other) => !together.includes(other));
      this.#running++;
      void this.#scan(together).finally(() => {
        this.#running--;
        this.#next();
      });
    }
  }

  /** Settles all that it is given. When the thread of several dies, each is asked again alone, so that it is told what is its own. */
  async #scan(together: readonly Waiting[]): Promise<void> {
    const asked = together.filter(({ scan, reject }) => {
      const isCancelled = Atomics.load(scan.control, controlCancelled) === 1;
      if (isCancelled) reject(new EngineError("QUERY_CANCELLED"));
      return !isCancelled;
    });
    if (asked.length === 0) return;
    try {
      const { scans } = await this.#ask(asked.map(({ scan }) => scan));
      asked.forEach(({ resolve, reject }, index) => {
        const answer = scans[index];
        if (answer.ok) resolve(answer);
        else reject(new EngineError(answer.code, answer.details));
      });
    } catch (error) {
      if (asked.length === 1) asked[0].reject(error);
      else
        for (const each of asked) {
          Atomics.store(each.scan.control, controlNextLane, 0);
          await this.#scan([each]);
        }
    }
  }

  async #ask(scans: readonly SharedScan[]): Promise<ScansAnswer> {
    const task: ScanTogetherTask = {
      kind: "scanTogether",
      memories: this.#arenas.memories(),
      scans,
    };
    const answer = await this.#threads.run<ScansAnswer | NeedsMemories>(task);
    if (answer.ok === true) return answer;
    const again = { ...task, memories: this.#arenas.passed() };
    const second = await this.#threads.run<ScansAnswer | NeedsMemories>(again);
    if (second.ok === true) return second;
    throw new EngineError("WORKER_FAILED", ["no memories"]);
  }
}

/** Which columns a plan reads of its table, and in which version. */
function columnsOf({ columns }: BoundPlan): ReadonlySet<string> {
  return new Set(
    columns.flatMap(({ directory }) =>
      directory ? [`${directory.arena}:${directory.offset}`] : [],
    ),
  );
}
