import { Account, type Waiting } from "./account.ts";
import { isInBackground, type Tenant } from "./tenant.ts";

/** How shares are counted. All members have the unit of the clock, or of `pay` where nothing is charged. */
interface FairSharesOptions {
  /** The most by which a tenant who comes back after idle time is ahead of busy ones. */
  readonly credit: number;
  /** How long light items go before a heavy one. By default without a limit. */
  readonly patience?: number;
  /** The clock by which running work is charged, by default in milliseconds. */
  readonly now?: () => number;
}

/**
 * Shares something among tenants, as run queues of operating systems do. People come before background tenants. Next is
 * the organization that used least, in it the user who used least, then that user's first item. A tenant who comes back
 * after idle time starts beside the busy ones, so nobody saves up a share. When nobody is busy, all use is forgotten.
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

  /** Count of waiting items. */
  get length(): number {
    return this.#people.waitingCount + this.#background.waitingCount;
  }

  /** Adds an item that waits; a light one uses little. */
  add(tenant: Tenant, item: Item, isLight = false): void {
    const since = this.#now();
    const user = this.#wake(tenant, since);
    (isLight ? user.light : user.heavy).push({ tenant, item, since });
    this.#countWaiting(user, isLight, 1);
  }

  /**
   * Returns the next item without removing it; undefined when none waits. A light item goes before a heavy one, unless
   * the heavy one has waited for longer than `patience` or the light one's tenant is far ahead.
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

  /** Returns the next light item without removing it; undefined when none waits, of people if any of them waits. */
  nextLight(): Waiting<Item> | undefined {
    return this.#least("lightCount", this.#now())?.light.at(0);
  }

  /** Returns the waiting items of each user, in the order in which the users came. */
  *waiting(): Generator<readonly Waiting<Item>[]> {
    for (const kind of [this.#people, this.#background])
      for (const organization of kind.parts.values())
        for (const { heavy, light } of organization.parts.values())
          yield light.length > 0 ? [...light, ...heavy] : heavy;
  }

  /** Removes an item; false when it does not wait. */
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

  /** Charges a tenant from now on, as the clock goes on. The returned function ends the charge. */
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

  /** Charges a tenant at once. */
  pay(tenant: Tenant, amount: number): void {
    const user = this.#wake(tenant, this.#now());
    for (const account of user.chain) account.used += amount;
    forgetIdle(user);
  }

  /**
   * Returns whether a tenant has used over `credit` more than another. Compares organizations, or users of the same
   * organization. Background tenants are ahead of all others.
   */
  isFarAhead(tenant: Tenant, than: Tenant): boolean {
    if (isInBackground(tenant) !== isInBackground(than)) return isInBackground(tenant);
    const now = this.#now();
    const usedAhead =
      this.#compared(tenant, than, now).usedAt(now) - this.#compared(than, tenant, now).usedAt(now);
    return usedAhead > this.#credit;
  }

  /**
   * Returns whether a waiting tenant has used far less than every other busy one, so that work of `running` must yield
   * to it. Compares organizations, or users of the same organization. Tenants who ask for equal shares are never far
   * apart. Background tenants yield to all others, who never yield to them.
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

  /** Returns the user's account to compare users of one organization, else the account of its organization. */
  #compared(tenant: Tenant, other: Tenant, now: number): Account<Item> {
    const user = this.#wake(tenant, now);
    return tenant.organization === other.organization ? user : user.whole;
  }

  /** Returns the user who is next, of those for whom something waits. */
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

/** Forgets what users of an organization have used, and organizations, where none of them is busy. */
function forgetIdle<Item>(user: Account<Item>): void {
  for (const account of user.chain) account.forgetIdle();
}
