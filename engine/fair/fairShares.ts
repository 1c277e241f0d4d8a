import { Account, type Waiting } from "./account.ts";
import { isInBackground, type Tenant } from "./tenant.ts";

/**
 * Options of `FairShares`. Amounts are in the unit of the clock or, if nothing is charged by time, in the unit of the
 * amounts passed to `pay`.
 */
interface FairSharesOptions {
  /** The maximum by which a tenant can be ahead of busy tenants after it was idle. */
  readonly credit: number;
  /**
   * Maximum time for which a heavy item waits while light items go first.
   * @default Infinity
   */
  readonly patience?: number;
  /**
   * The clock that charges running work.
   * @default the current time in milliseconds
   */
  readonly now?: () => number;
}

/**
 * Shares a resource fairly among tenants, like the run queue of an operating system. People come before background
 * tenants. The next item belongs to the organization with the least use and, within that organization, to the user with
 * the least use. A tenant that was idle starts at the level of the busy tenants, minus the credit, so nobody can save
 * up a share. When nobody is busy, all use is reset.
 */
export class FairShares<Item> {
  readonly #people = new Account<Item>();
  readonly #background = new Account<Item>();
  readonly #credit: number;
  readonly #patience: number;
  readonly #now: () => number;

  constructor({ credit, patience = Infinity, now = () => performance.now() }: FairSharesOptions) {
    this.#credit = credit;
    this.#patience = patience;
    this.#now = now;
  }

  /** Number of waiting items. */
  get length(): number {
    return this.#people.waitingCount + this.#background.waitingCount;
  }

  /** Adds a waiting item. A light item is one that needs little of the resource. */
  add(tenant: Tenant, item: Item, isLight = false): void {
    const since = this.#now();
    const user = this.#wake(tenant, since);
    (isLight ? user.light : user.heavy).push({ tenant, item, since });
    this.#countWaiting(user, isLight, 1);
  }

  /**
   * Returns the next item without removing it; undefined if none waits. A light item goes before a heavy item, unless
   * the heavy item has waited longer than `patience` or the light item's tenant is far ahead.
   */
  next(): Waiting<Item> | undefined {
    const now = this.#now();
    const least = this.#least("waitingCount", now);
    const heavy = least?.heavy.at(0);
    if (heavy && now - heavy.since > this.#patience) return heavy;
    const light = this.#least("lightCount", now)?.light.at(0);
    const own = least?.light.at(0) ?? heavy;
    return light && own && !this.isFarAhead(light.tenant, own.tenant) ? light : own;
  }

  /**
   * Returns the next light item without removing it; undefined if none waits. Items of people come before background
   * items.
   */
  nextLight(): Waiting<Item> | undefined {
    return this.#least("lightCount", this.#now())?.light.at(0);
  }

  /** Returns the waiting items of each user, in the order in which the users arrived. */
  *waiting(): Generator<readonly Waiting<Item>[]> {
    for (const kind of [this.#people, this.#background])
      for (const organization of kind.parts.values())
        for (const { heavy, light } of organization.parts.values())
          yield light.length > 0 ? [...light, ...heavy] : heavy;
  }

  /** Removes an item. Returns false if the item was not waiting. */
  remove(tenant: Tenant, item: Item): boolean {
    const user = this.#kindOf(tenant).parts.get(tenant.organization)?.parts.get(tenant.user);
    if (!user) return false;
    for (const items of [user.light, user.heavy]) {
      const index = items.findIndex((each) => each.item === item);
      if (index < 0) continue;
      items.splice(index, 1);
      this.#countWaiting(user, items === user.light, -1);
      forgetIdle(user);
      return true;
    }
    return false;
  }

  /** Removes and returns all items. */
  clear(): Item[] {
    const waiting = [...this.waiting()].flat();
    for (const { tenant, item } of waiting) this.remove(tenant, item);
    return waiting.map(({ item }) => item);
  }

  /** Starts charging a tenant for time. Call the returned function to stop. */
  charge(tenant: Tenant): () => void {
    const startedAt = this.#now();
    const user = this.#wake(tenant, startedAt);
    for (const account of user.chain) {
      account.runningCount++;
      account.used -= startedAt;
    }
    return () => {
      const now = this.#now();
      for (const account of user.chain) {
        account.runningCount--;
        account.used += now;
      }
      forgetIdle(user);
    };
  }

  /** Charges a tenant a fixed amount. */
  pay(tenant: Tenant, amount: number): void {
    const user = this.#wake(tenant, this.#now());
    for (const account of user.chain) account.used += amount;
    forgetIdle(user);
  }

  /**
   * Returns whether a tenant has used over `credit` more than another tenant. Compares organizations, or users if both
   * belong to one organization. Background tenants count as ahead of all others.
   */
  isFarAhead(tenant: Tenant, than: Tenant): boolean {
    if (isInBackground(tenant) !== isInBackground(than)) return isInBackground(tenant);
    const now = this.#now();
    const usedAhead =
      this.#compared(tenant, than, now).usedAt(now) - this.#compared(than, tenant, now).usedAt(now);
    return usedAhead > this.#credit;
  }

  /**
   * Returns whether a waiting tenant has used far less than every other busy tenant, so that the work of `running` must
   * yield to the waiting tenant. Compares organizations, or users if both belong to one organization. Equally busy
   * tenants never yield to each other, because their use stays close. Background tenants yield to all others, and
   * others never yield to them.
   */
  isFarBehind(waiting: Tenant, running: Tenant): boolean {
    if (isInBackground(waiting) !== isInBackground(running)) return isInBackground(running);
    if (waiting.organization === running.organization && waiting.user === running.user)
      return false;
    const now = this.#now();
    const own = this.#compared(waiting, running, now);
    for (const other of own.whole.parts.values())
      if (other !== own && other.isBusy)
        if (other.usedAt(now) - own.usedAt(now) < this.#credit / 2) return false;
    return true;
  }

  #kindOf(tenant: Tenant): Account<Item> {
    return isInBackground(tenant) ? this.#background : this.#people;
  }

  #wake(tenant: Tenant, now: number): Account<Item> {
    const organization = this.#kindOf(tenant).wake(tenant.organization, now, this.#credit);
    return organization.wake(tenant.user, now, this.#credit);
  }

  /**
   * Returns the account to compare: the user's account if both tenants belong to one organization, otherwise the
   * organization's.
   */
  #compared(tenant: Tenant, other: Tenant, now: number): Account<Item> {
    const user = this.#wake(tenant, now);
    return tenant.organization === other.organization ? user : user.whole;
  }

  /** Returns the account of the next user among the users with waiting items. */
  #least(counted: "waitingCount" | "lightCount", now: number): Account<Item> | undefined {
    const kind = this.#people.waitingCount > 0 ? this.#people : this.#background;
    return kind.least(counted, now)?.least(counted, now);
  }

  #countWaiting(user: Account<Item>, isLight: boolean, count: 1 | -1): void {
    for (const account of user.chain) {
      account.waitingCount += count;
      if (isLight) account.lightCount += count;
    }
  }
}

/**
 * Resets the use of an organization's users if none of them is busy. Resets the use of all organizations if no
 * organization is busy.
 */
function forgetIdle<Item>(user: Account<Item>): void {
  for (const account of user.chain) account.forgetIdle();
}
