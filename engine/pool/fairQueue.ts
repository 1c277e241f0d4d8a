import { EngineError } from "../errors.ts";
import { FairShares, type Tenant, type Waiting } from "../fair/index.ts";

interface Query {
  readonly start: (isGuest: boolean) => void;
  readonly refuse: (error: EngineError) => void;
}

interface FairQueueOptions {
  readonly places: number;
  /** Number of additional (guest) places for users without a running query, so that a busy user cannot block others. */
  readonly guestPlaces?: number;
  readonly waitingLimit: number;
}

/**
 * Admits queries while there are places. Waiting queries get fair shares of the places. A place costs the same, however
 * long it is used.
 */
export class FairQueue {
  #freePlaces: number;
  #freeGuestPlaces: number;
  readonly #waitingLimit: number;
  /** Shares that charge places. Their clock is always 0, because time is not charged. */
  readonly #shares = new FairShares<Query>({ credit: 0, now: () => 0 });
  readonly #runningByUser = new Map<string, number>();
  #running = 0;

  constructor({ places, guestPlaces = 0, waitingLimit }: FairQueueOptions) {
    this.#freePlaces = places;
    this.#freeGuestPlaces = guestPlaces;
    this.#waitingLimit = waitingLimit;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#shares.length;
  }

  /**
   * Runs a query after admission. If too many queries wait, the last query of the user with the most waiting queries
   * fails.
   * @throws {EngineError} STORE_BUSY if too many wait, QUERY_CANCELLED if `signal` is aborted before admission
   */
  async run<Result>(
    tenant: Tenant,
    signal: AbortSignal | undefined,
    query: () => Promise<Result>,
  ): Promise<Result> {
    let isGuest = false;
    if (this.waiting === 0 && this.#freePlaces > 0) this.#count(tenant, isGuest, 1);
    else if (this.#isGuest(tenant)) this.#count(tenant, (isGuest = true), 1);
    else isGuest = await this.#wait(tenant, signal);
    try {
      return await query();
    } finally {
      this.#count(tenant, isGuest, -1);
      this.#next();
    }
  }

  /** Rejects all waiting queries. */
  clear(): void {
    for (const { refuse } of this.#shares.clear()) refuse(new EngineError("STORE_CLOSED"));
  }

  #isGuest(tenant: Tenant): boolean {
    return this.#freeGuestPlaces > 0 && !this.#runningByUser.has(keyOf(tenant));
  }

  /** Updates the counts when a query starts (`count` is 1) or ends (`count` is -1). */
  #count(tenant: Tenant, isGuest: boolean, count: 1 | -1): void {
    this.#running += count;
    if (isGuest) this.#freeGuestPlaces -= count;
    else this.#freePlaces -= count;
    const key = keyOf(tenant);
    const running = (this.#runningByUser.get(key) ?? 0) + count;
    if (running > 0) this.#runningByUser.set(key, running);
    else this.#runningByUser.delete(key);
  }

  /** Resolves on admission. The result is whether the query has a guest place. */
  async #wait(tenant: Tenant, signal: AbortSignal | undefined): Promise<boolean> {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const waiting: Query = { start: resolve, refuse: reject };
    this.#shares.add(tenant, waiting);
    if (this.waiting > this.#waitingLimit) this.#refuseOne();
    const leave = () => {
      if (this.#shares.remove(tenant, waiting)) reject(new EngineError("QUERY_CANCELLED"));
    };
    signal?.addEventListener("abort", leave);
    try {
      return await promise;
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }

  /** Rejects the last query of the user with the most waiting queries. */
  #refuseOne(): void {
    let [longest] = this.#shares.waiting();
    for (const queue of this.#shares.waiting()) if (queue.length >= longest.length) longest = queue;
    const { tenant, item } = longest[longest.length - 1];
    this.#shares.remove(tenant, item);
    item.refuse(new EngineError("STORE_BUSY", [this.waiting]));
  }

  /**
   * Admits queries while there are places. Then admits queries of guests; their places are not charged to their shares.
   */
  #next(): void {
    while (this.#freePlaces > 0) {
      const next = this.#shares.next();
      if (!next) return;
      this.#shares.pay(next.tenant, 1);
      this.#start(next, false);
    }
    if (this.#freeGuestPlaces === 0 || this.waiting === 0) return;
    for (const [first] of this.#shares.waiting())
      if (first && this.#isGuest(first.tenant)) this.#start(first, true);
  }

  #start({ tenant, item }: Waiting<Query>, isGuest: boolean): void {
    this.#shares.remove(tenant, item);
    this.#count(tenant, isGuest, 1);
    item.start(isGuest);
  }
}

function keyOf({ organization, user }: Tenant): string {
  return `${organization.length} ${organization} ${user}`;
}
