import { EngineError } from "../errors.ts";
import type { Tenant } from "../fair/index.ts";

interface Waiting {
  readonly start: (isGuest: boolean) => void;
  readonly refuse: (error: EngineError) => void;
}

interface UserQueue {
  readonly tenant: Tenant;
  readonly waiting: Waiting[];
}

interface FairQueueOptions {
  readonly places: number;
  /** Additional places for users with no running query, so that a busy user keeps nobody out. */
  readonly guestPlaces?: number;
  readonly waitingLimit: number;
}

/**
 * Admits queries while there are places. Waiting queries take turns by organization, in an organization by user, and in
 * the order of arrival for one user.
 */
export class FairQueue {
  #freePlaces: number;
  #freeGuestPlaces: number;
  readonly #waitingLimit: number;
  /** Waiting queries by organization and user, both in the order of their turns. */
  readonly #organizations = new Map<string, Map<string, UserQueue>>();
  readonly #runningByTenant = new Map<string, number>();
  #running = 0;
  #waiting = 0;

  constructor({ places, guestPlaces = 0, waitingLimit }: FairQueueOptions) {
    this.#freePlaces = places;
    this.#freeGuestPlaces = guestPlaces;
    this.#waitingLimit = waitingLimit;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Runs a query after admission. When too many wait, the last query of the user with the most is refused.
   * @throws {EngineError} STORE_BUSY when too many wait, QUERY_CANCELLED when `signal` is aborted before its turn
   */
  async run<Result>(
    tenant: Tenant,
    signal: AbortSignal | undefined,
    query: () => Promise<Result>,
  ): Promise<Result> {
    let isGuest = false;
    if (this.#waiting === 0 && this.#freePlaces > 0) this.#take(tenant, isGuest);
    else if (this.#isGuest(tenant)) this.#take(tenant, (isGuest = true));
    else isGuest = await this.#wait(tenant, signal);
    try {
      return await query();
    } finally {
      this.#leave(tenant, isGuest);
      this.#next();
    }
  }

  #isGuest(tenant: Tenant): boolean {
    return this.#freeGuestPlaces > 0 && !this.#runningByTenant.has(keyOf(tenant));
  }

  #take(tenant: Tenant, isGuest: boolean): void {
    this.#running++;
    if (isGuest) this.#freeGuestPlaces--;
    else this.#freePlaces--;
    const key = keyOf(tenant);
    this.#runningByTenant.set(key, (this.#runningByTenant.get(key) ?? 0) + 1);
  }

  #leave(tenant: Tenant, isGuest: boolean): void {
    this.#running--;
    if (isGuest) this.#freeGuestPlaces++;
    else this.#freePlaces++;
    const key = keyOf(tenant);
    const left = (this.#runningByTenant.get(key) ?? 0) - 1;
    if (left > 0) this.#runningByTenant.set(key, left);
    else this.#runningByTenant.delete(key);
  }

  /** Resolves at admission, with whether the query has a guest's place. */
  async #wait(tenant: Tenant, signal: AbortSignal | undefined): Promise<boolean> {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const waiting: Waiting = { start: resolve, refuse: reject };
    this.#add(tenant, waiting);
    if (this.#waiting > this.#waitingLimit) this.#refuseOne();
    const leave = () => {
      if (this.#remove(tenant, waiting)) reject(new EngineError("QUERY_CANCELLED"));
    };
    signal?.addEventListener("abort", leave);
    try {
      return await promise;
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }

  #add(tenant: Tenant, waiting: Waiting): void {
    const { organization, user } = tenant;
    const users = this.#organizations.get(organization) ?? new Map<string, UserQueue>();
    const queue = users.get(user) ?? { tenant, waiting: [] };
    queue.waiting.push(waiting);
    users.set(user, queue);
    this.#organizations.set(organization, users);
    this.#waiting++;
  }

  #remove({ organization, user }: Tenant, waiting: Waiting): boolean {
    const users = this.#organizations.get(organization);
    const queue = users?.get(user);
    const place = queue?.waiting.indexOf(waiting) ?? -1;
    if (!users || !queue || place < 0) return false;
    queue.waiting.splice(place, 1);
    this.#waiting--;
    if (queue.waiting.length === 0) users.delete(user);
    if (users.size === 0) this.#organizations.delete(organization);
    return true;
  }

  /** Refuses the last query of the user with the most waiting queries. */
  #refuseOne(): void {
    let longest: UserQueue | undefined;
    for (const queue of this.#userQueues())
      if (!longest || queue.waiting.length >= longest.waiting.length) longest = queue;
    const last = longest?.waiting.at(-1);
    if (!longest || !last) return;
    this.#remove(longest.tenant, last);
    last.refuse(new EngineError("STORE_BUSY", [this.#waiting]));
  }

  *#userQueues(): Generator<UserQueue> {
    for (const users of this.#organizations.values()) yield* users.values();
  }

  /** Admits queries while there are places, then guests. */
  #next(): void {
    while (this.#freePlaces > 0 && this.#waiting > 0) {
      const [[organization, users]] = this.#organizations;
      const [[user, queue]] = users;
      this.#start(queue, false);
      // The user and the organization that had this turn come last in the next round.
      if (users.delete(user) && queue.waiting.length > 0) users.set(user, queue);
      if (this.#organizations.delete(organization) && users.size > 0)
        this.#organizations.set(organization, users);
    }
    if (this.#freeGuestPlaces === 0 || this.#waiting === 0) return;
    const queues = Array.from(this.#userQueues());
    for (const queue of queues) if (this.#isGuest(queue.tenant)) this.#start(queue, true);
  }

  #start({ tenant, waiting }: UserQueue, isGuest: boolean): void {
    const [first] = waiting;
    this.#remove(tenant, first);
    this.#take(tenant, isGuest);
    first.start(isGuest);
  }

  /** Refuses all waiting queries. */
  clear(): void {
    const queues = [...this.#userQueues()];
    this.#organizations.clear();
    this.#waiting = 0;
    for (const { waiting } of queues)
      for (const { refuse } of waiting) refuse(new EngineError("STORE_CLOSED"));
  }
}

function keyOf({ organization, user }: Tenant): string {
  return JSON.stringify([organization, user]);
}
