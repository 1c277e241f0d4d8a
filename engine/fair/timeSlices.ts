import { FairShares } from "./fairShares.ts";
import type { Tenant } from "./tenant.ts";

/** Milliseconds of the thread that work gets at a time, when its steps are short. */
const sliceMs = 2;
/** How far a tenant who comes after a rest is ahead of busy ones: enough for a usual query, and its delays. */
const creditMs = 50;

/**
 * The time slices of a thread: work that takes longer is done in slices, one a turn of the event loop, so that calls
 * that come are begun meanwhile. They are shared fairly among tenants. Work that nobody waits beside begins at once.
 */
export class TimeSlices {
  readonly #shares: FairShares<(end: () => void) => void>;
  readonly #now: () => number;
  #isTaken = false;

  /** Tests give another clock, in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#shares = new FairShares({ credit: creditMs, now });
    this.#now = now;
  }

  /**
   * Runs work in slices and resolves to its result. A step should take at most a millisecond.
   * @throws what a step throws; the signal's reason, once it is aborted
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

  /** Makes items as they are asked for, in slices; `undefined` is a step towards the next one. */
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
   * Resolves when the tenant has its slice, which lasts until the next turn of the event loop. Calls begin one after
   * the other that way, and a call that comes meanwhile waits for one of them.
   */
  async begin(tenant: Tenant): Promise<void> {
    setImmediate(await this.#take(tenant));
  }

  /** Resolves when the tenant has its slice, to the function that ends it. */
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
