import { EngineError } from "../errors.ts";
import type { Tenant } from "../types.ts";

interface Waiting {
  readonly start: (isGuest: boolean) => void;
  readonly refuse: (error: EngineError) => void;
}

interface Line {
  readonly tenant: Tenant;
  readonly waiting: Waiting[];
}

interface FairQueueOptions {
  readonly places: number;
  /** Places beside these for users of whom nothing runs, so that one who asks much keeps nobody out. */
  readonly guestPlaces?: number;
  readonly waitingLimit: number;
}

/**
 * Lets queries run while there are places for them. Those that wait take turns by organization, in an organization by
 * user, and by arrival within one.
 */
export class FairQueue {
  #freePlaces: number;
  #freeGuestPlaces: number;
  readonly #waitingLimit: number;
  /** Lines of users by organization, both in the order in which they take their turns. */
  readonly #organizations = new Map<string, Map<string, Line>>();
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
   * Runs a query when it is its turn. When too many wait, the last one of the user with the most is refused.
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

  /** Resolves when the query is started, with whether it has the place of a guest. */
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
    const users = this.#organizations.get(organization) ?? new Map<string, Line>();
    const line = users.get(user) ?? { tenant, waiting: [] };
    line.waiting.push(waiting);
    users.set(user, line);
    this.#organizations.set(organization, users);
    this.#waiting++;
  }

  #remove({ organization, user }: Tenant, waiting: Waiting): boolean {
    const users = this.#organizations.get(organization);
    const line = users?.get(user);
    const place = line?.waiting.indexOf(waiting) ?? -1;
    if (!users || !line || place < 0) return false;
    line.waiting.splice(place, 1);
    this.#waiting--;
    if (line.waiting.length === 0) users.delete(user);
    if (users.size === 0) this.#organizations.delete(organization);
    return true;
  }

  /** Refuses the query that came last of the user who has the most waiting. */
  #refuseOne(): void {
    let longest: Line | undefined;
    for (const line of this.#lines())
      if (!longest || line.waiting.length >= longest.waiting.length) longest = line;
    const last = longest?.waiting.at(-1);
    if (!longest || !last) return;
    this.#remove(longest.tenant, last);
    last.refuse(new EngineError("STORE_BUSY", [this.#waiting]));
  }

  *#lines(): Generator<Line> {
    for (const users of this.#organizations.values()) yield* users.values();
  }

  /** Starts those whose turn it is while there are places for them, then guests. */
  #next(): void {
    while (this.#freePlaces > 0 && this.#waiting > 0) {
      const [[organization, users]] = this.#organizations;
      const [[user, line]] = users;
      this.#start(line, false);
      // Whoever had a turn goes behind the others.
      if (users.delete(user) && line.waiting.length > 0) users.set(user, line);
      if (this.#organizations.delete(organization) && users.size > 0)
        this.#organizations.set(organization, users);
    }
    if (this.#freeGuestPlaces === 0 || this.#waiting === 0) return;
    const lines = Array.from(this.#lines());
    for (const line of lines) if (this.#isGuest(line.tenant)) this.#start(line, true);
  }

  #start({ tenant, waiting }: Line, isGuest: boolean): void {
    const [first] = waiting;
    this.#remove(tenant, first);
    this.#take(tenant, isGuest);
    first.start(isGuest);
  }

  /** Refuses all that wait. */
  clear(): void {
    const lines = [...this.#lines()];
    this.#organizations.clear();
    this.#waiting = 0;
    for (const { waiting } of lines)
      for (const { refuse } of waiting) refuse(new EngineError("STORE_CLOSED"));
  }
}

function keyOf({ organization, user }: Tenant): string {
  return JSON.stringify([organization, user]);
}
