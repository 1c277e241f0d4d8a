import { FairShares } from "./fairShares.ts";
import type { Tenant } from "./tenant.ts";

/** Milliseconds per time slice. A slice is longer only if a single step of the work takes longer. */
const sliceMs = 2;
/**
 * The maximum by which a tenant can be ahead of busy tenants after it was idle, in milliseconds. It is enough for a
 * typical query and its delays.
 */
const creditMs = 50;

/**
 * Shares the time of a thread fairly among tenants. Long work runs in slices, one per turn of the event loop, so that
 * new work can start between them. Work starts immediately if no other work waits.
 */
export class TimeSlices {
  readonly #shares: FairShares<(end: () => void) => void>;
  readonly #now: () => number;
  #isTaken = false;

  /** Creates slices. `now` returns milliseconds; tests inject another clock. */
  constructor(now: () => number = () => performance.now()) {
    this.#shares = new FairShares({ credit: creditMs, now });
    this.#now = now;
  }

  /**
   * Runs work in slices and resolves to its result. A step should take at most a millisecond.
   * @throws the errors of a step; the signal's reason once it is aborted
   */
  async run<Result>(
    tenant: Tenant,
    steps: Iterator<unknown, Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    for (;;) {
      const end = await this.#take(tenant);
      try {
        signal?.throwIfAborted();
        const startedAt = this.#now();
        do {
          const { done, value } = steps.next();
          if (done) return value;
        } while (this.#now() - startedAt < sliceMs);
      } finally {
        end();
      }
    }
  }

  /** Produces items on demand, in slices. A step that yields `undefined` has made progress but produced no item yet. */
  async *each<Item>(
    tenant: Tenant,
    items: Iterator<Item | undefined, unknown>,
  ): AsyncGenerator<Item, void> {
    const next = function* () {
      let made = items.next();
      for (; !made.done && made.value === undefined; made = items.next()) yield;
      return made;
    };
    try {
      for (;;) {
        const made = await this.run(tenant, next());
        if (made.done) return;
        if (made.value !== undefined) yield made.value;
      }
    } finally {
      items.return?.();
    }
  }

  /**
   * Resolves when the tenant's slice starts. The slice ends with the turn of the event loop in which it starts. Slices
   * therefore start one after another, and a new call waits for at most one of them.
   */
  async begin(tenant: Tenant): Promise<void> {
    setImmediate(await this.#take(tenant));
  }

  /** Resolves when the tenant's slice starts, with a function that ends the slice. */
  #take(tenant: Tenant): Promise<() => void> {
    return new Promise((start) => {
      this.#shares.add(tenant, start);
      if (!this.#isTaken) this.#next();
    });
  }

  #next(): void {
    const next = this.#shares.next();
    this.#isTaken = next !== undefined;
    if (!next) return;
    const stop = this.#shares.charge(next.tenant);
    this.#shares.remove(next.tenant, next.item);
    next.item(() => {
      stop();
      setImmediate(() => this.#next());
    });
  }
}
