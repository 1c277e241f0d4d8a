import { EngineError } from "../errors.ts";

interface Waiting {
  readonly places: number;
  readonly start: () => void;
  readonly refuse: (error: EngineError) => void;
}

/** Lets queries run while there are places for them; those that wait take turns by tenant, and by arrival within one. */
export class FairQueue {
  #freePlaces: number;
  readonly #waitingLimit: number;
  /** In the order in which tenants take their turns. */
  readonly #tenants = new Map<string, Waiting[]>();
  #running = 0;
  #waiting = 0;

  constructor(places: number, waitingLimit: number) {
    this.#freePlaces = places;
    this.#waitingLimit = waitingLimit;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Runs a query when it is its turn, and `places` are free, at most as many as there are in all.
   * @throws {EngineError} STORE_BUSY when too many wait, QUERY_CANCELLED when `signal` is aborted before its turn
   */
  async run<Result>(
    tenant: string,
    signal: AbortSignal | undefined,
    query: () => Promise<Result>,
    places = 1,
  ): Promise<Result> {
    if (this.#waiting === 0 && places <= this.#freePlaces) this.#take(places);
    else await this.#wait(tenant, signal, places);
    try {
      return await query();
    } finally {
      this.#running--;
      this.#freePlaces += places;
      this.#next();
    }
  }

  #take(places: number): void {
    this.#running++;
    this.#freePlaces -= places;
  }

  async #wait(tenant: string, signal: AbortSignal | undefined, places: number): Promise<void> {
    if (this.#waiting >= this.#waitingLimit) throw new EngineError("STORE_BUSY", [this.#waiting]);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { places, start: resolve, refuse: reject };
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
    this.#next();
    return true;
  }

  /** Starts those whose turn it is while there are places for them. */
  #next(): void {
    for (const [tenant, line] of this.#tenants) {
      const [waiting] = line;
      if (waiting.places > this.#freePlaces) return;
      line.shift();
      this.#tenants.delete(tenant);
      if (line.length > 0) this.#tenants.set(tenant, line);
      this.#waiting--;
      this.#take(waiting.places);
      waiting.start();
    }
  }

  /** Refuses all that wait. */
  clear(): void {
    for (const line of this.#tenants.values())
      for (const { refuse } of line) refuse(new EngineError("STORE_CLOSED"));
    this.#tenants.clear();
    this.#waiting = 0;
  }
}
