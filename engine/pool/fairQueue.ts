import { EngineError } from "../errors.ts";

interface Waiting {
  readonly start: () => void;
  readonly refuse: (error: EngineError) => void;
}

/** Lets a fixed number of queries run at a time; those that wait take turns by tenant, and by arrival within one. */
export class FairQueue {
  readonly #runningLimit: number;
  readonly #waitingLimit: number;
  /** In the order in which tenants take their turns. */
  readonly #tenants = new Map<string, Waiting[]>();
  #running = 0;
  #waiting = 0;

  constructor(runningLimit: number, waitingLimit: number) {
    this.#runningLimit = runningLimit;
    this.#waitingLimit = waitingLimit;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Runs a query when it is its turn.
   * @throws {EngineError} STORE_BUSY when too many wait, QUERY_CANCELLED when `signal` is aborted before its turn
   */
  async run<Result>(
    tenant: string,
    signal: AbortSignal | undefined,
    query: () => Promise<Result>,
  ): Promise<Result> {
    if (this.#running < this.#runningLimit) this.#running++;
    else await this.#wait(tenant, signal);
    try {
      return await query();
    } finally {
      this.#running--;
      this.#next();
    }
  }

  async #wait(tenant: string, signal: AbortSignal | undefined): Promise<void> {
    if (this.#waiting >= this.#waitingLimit) throw new EngineError("STORE_BUSY", [this.#waiting]);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { start: resolve, refuse: reject };
    const line = this.#tenants.get(tenant);
    if (line) line.push(waiting);
    else this.#tenants.set(tenant, [waiting]);
    this.#waiting++;
    const leave = () => {
      if (this.#remove(tenant, waiting)) reject(new EngineError("QUERY_CANCELLED"));
    };
    signal?.addEventListener("abort", leave);
    try {
      await promise;
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }

  #remove(tenant: string, waiting: Waiting): boolean {
    const line = this.#tenants.get(tenant);
    const place = line?.indexOf(waiting) ?? -1;
    if (!line || place < 0) return false;
    line.splice(place, 1);
    if (line.length === 0) this.#tenants.delete(tenant);
    this.#waiting--;
    return true;
  }

  #next(): void {
    if (this.#running >= this.#runningLimit) return;
    const [turn] = this.#tenants;
    if (!turn) return;
    const [tenant, line] = turn;
    const waiting = line.shift();
    this.#tenants.delete(tenant);
    if (line.length > 0) this.#tenants.set(tenant, line);
    if (!waiting) return;
    this.#waiting--;
    this.#running++;
    waiting.start();
  }

  /** Refuses all that wait. */
  clear(): void {
    for (const line of this.#tenants.values())
      for (const { refuse } of line) refuse(new EngineError("STORE_CLOSED"));
    this.#tenants.clear();
    this.#waiting = 0;
  }
}
