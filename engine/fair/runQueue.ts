import { isInBackground, type Tenant } from "./tenant.ts";

interface Account {
  /** Thread time charged so far, in milliseconds, relative to the floor of its level. */
  usedMs: number;
  waitingCount: number;
  /** Count of light items among the waiting ones. */
  lightCount: number;
  runningCount: number;
  /** Sum of the start times of the running items. */
  startedMsSum: number;
}

interface Entry<Item> {
  readonly item: Item;
  readonly sinceMs: number;
}

interface User<Item> extends Account {
  readonly entries: Entry<Item>[];
  readonly lightEntries: Entry<Item>[];
}

interface Next<Item> {
  readonly tenant: Tenant;
  readonly item: Item;
  readonly isLight: boolean;
  /** A heavy item that has waited for longer than `patienceMs`. */
  readonly isOverdue: boolean;
}

interface Organization<Item> extends Account {
  readonly users: Level<User<Item>>;
}

/** The most thread time by which a tenant who comes back is ahead of busy ones. */
const creditMs = 50;
/** How long light items go before a heavy one. Without a limit, it would wait forever where threads are never idle. */
const patienceMs = 30;
/** Accounts kept before idle ones without a debt are forgotten. */
const idleCount = 64;

/**
 * A run queue with fair shares, as in operating systems: next is the organization that used the threads least, then its
 * user who used them least, then that user's first item. Light items go before heavy ones that have not waited long.
 * A tenant who comes back after idle time starts beside the busy ones, so nobody saves up time. Running items are
 * charged as they run. Background tenants come after all others, and share in the same way among themselves.
 */
export class RunQueue<Item> {
  readonly #people = new Level<Organization<Item>>();
  readonly #background = new Level<Organization<Item>>();
  readonly #now: () => number;
  #length = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get length(): number {
    return this.#length;
  }

  /** Adds an item; a light one takes a few time slices at most. */
  add(tenant: Tenant, item: Item, isLight = false): void {
    const { organization, user } = this.#accounts(tenant);
    (isLight ? user.lightEntries : user.entries).push({ item, sinceMs: this.#now() });
    this.#length++;
    for (const account of [organization, user]) {
      account.waitingCount++;
      if (isLight) account.lightCount++;
    }
  }

  /**
   * Returns the next item without removing it; undefined when none waits. A light item goes before a heavy one, unless
   * the heavy one is overdue or the light one's tenant has used over `creditMs` more.
   */
  next(): Next<Item> | undefined {
    return this.#nextOf(false) ?? this.#nextOf(true);
  }

  #nextOf(isBackground: boolean): Next<Item> | undefined {
    const now = this.#now();
    const light = this.#least(isBackground, now, "lightCount");
    const next = this.#least(isBackground, now, "waitingCount");
    if (!light || !next || next.isOverdue) return next;
    return this.isFarAhead(light.tenant, next.tenant) ? next : light;
  }

  /** Returns the next light item without removing it; undefined when none waits. */
  nextLight(): Next<Item> | undefined {
    const now = this.#now();
    const light = this.#least(false, now, "lightCount");
    if (light || this.#nextOf(false)) return light;
    return this.#least(true, now, "lightCount");
  }

  #least(
    isBackground: boolean,
    now: number,
    counted: "lightCount" | "waitingCount",
  ): Next<Item> | undefined {
    const level = isBackground ? this.#background : this.#people;
    const [organizationId, organization] = level.leastUsed(now, counted) ?? [];
    const [userId, user] = organization?.users.leastUsed(now, counted) ?? [];
    if (organizationId === undefined || userId === undefined || !user) return undefined;
    const [first] = user.entries;
    const [light] = user.lightEntries;
    const isOverdue =
      counted === "waitingCount" && first !== undefined && now - first.sinceMs > patienceMs;
    const isLight = light !== undefined && !isOverdue;
    const { item } = isLight ? light : first;
    const tenant = { organization: organizationId, user: userId, isBackground };
    return { tenant, item, isLight, isOverdue };
  }

  /** Removes an item; false when it does not wait. */
  remove(tenant: Tenant, item: Item): boolean {
    const organization = this.#levelOf(tenant).accounts.get(tenant.organization);
    const user = organization?.users.accounts.get(tenant.user);
    if (!organization || !user) return false;
    const indexIn = (entries: readonly Entry<Item>[]) =>
      entries.findIndex((entry) => entry.item === item);
    const isLight = indexIn(user.lightEntries) >= 0;
    const entries = isLight ? user.lightEntries : user.entries;
    const index = indexIn(entries);
    if (index < 0) return false;
    entries.splice(index, 1);
    this.#length--;
    for (const account of [organization, user]) {
      account.waitingCount--;
      if (isLight) account.lightCount--;
    }
    this.#forgetWhenIdle();
    return true;
  }

  /** Charges a tenant for a thread from now on. The returned function ends the charge. */
  charge(tenant: Tenant): () => void {
    const { organization, user } = this.#accounts(tenant);
    const startedMs = this.#now();
    for (const account of [organization, user]) {
      account.runningCount++;
      account.startedMsSum += startedMs;
    }
    return () => {
      const usedMs = this.#now() - startedMs;
      for (const account of [organization, user]) {
        account.runningCount--;
        account.startedMsSum -= startedMs;
        account.usedMs += usedMs;
      }
      this.#forgetWhenIdle();
    };
  }

  /**
   * Returns whether a tenant has used over `creditMs` more than another, so that its light tasks no longer go first.
   * Compares organizations, or users of the same organization. Background tenants are ahead of all others.
   */
  isFarAhead(tenant: Tenant, than: Tenant): boolean {
    if (isInBackground(tenant) !== isInBackground(than)) return isInBackground(tenant);
    const now = this.#now();
    const [one, other] = [tenant, than].map((each) => this.#accounts(each));
    const aheadMs =
      tenant.organization === than.organization
        ? usedBy(one.user, now) - usedBy(other.user, now)
        : usedBy(one.organization, now) - usedBy(other.organization, now);
    return aheadMs > creditMs;
  }

  /**
   * Returns whether a waiting tenant has used far less than every other busy one, so that a task of `running` must
   * yield to it. Compares organizations, or users of the same organization. Tenants who ask for equal shares are never
   * far apart. Background tenants yield to all others, who never yield to them.
   */
  isFarBehind(waiting: Tenant, running: Tenant): boolean {
    if (isInBackground(waiting) !== isInBackground(running)) return isInBackground(running);
    const now = this.#now();
    const { organization, user } = this.#accounts(waiting);
    if (waiting.organization !== running.organization)
      return this.#levelOf(waiting).isFarBehind(organization, now);
    return waiting.user !== running.user && organization.users.isFarBehind(user, now);
  }

  /** Removes and returns all items. */
  clear(): Item[] {
    const items: Item[] = [];
    for (let next = this.next(); next; next = this.next()) {
      items.push(next.item);
      this.remove(next.tenant, next.item);
    }
    return items;
  }

  #levelOf(tenant: Tenant): Level<Organization<Item>> {
    return isInBackground(tenant) ? this.#background : this.#people;
  }

  #accounts(tenant: Tenant) {
    const { organization: organizationId, user: userId } = tenant;
    const now = this.#now();
    const organization = this.#levelOf(tenant).wake(organizationId, now, () => ({
      ...newAccount(),
      users: new Level<User<Item>>(),
    }));
    const user = organization.users.wake(userId, now, () => ({
      ...newAccount(),
      entries: [],
      lightEntries: [],
    }));
    return { organization, user };
  }

  /** Forgets all charges when no tenant is busy. */
  #forgetWhenIdle(): void {
    for (const level of [this.#people, this.#background]) if (!level.isBusy()) level.clear();
  }
}

/** The accounts of all organizations, or of the users of one. */
class Level<Each extends Account> {
  readonly accounts = new Map<string, Each>();
  /** The charge at which idle accounts start again. Never decreases. */
  #floorMs = 0;

  /** Returns an account; an idle one is moved up to the busy ones, less the credit. */
  wake(id: string, now: number, create: () => Each): Each {
    const known = this.accounts.get(id);
    if (known && isBusy(known)) return known;
    this.#raiseFloor(now);
    const account = known ?? create();
    account.usedMs = Math.max(account.usedMs, this.#floorMs - creditMs);
    if (!known) {
      this.#forget();
      this.accounts.set(id, account);
    }
    return account;
  }

  leastUsed(
    now: number,
    counted: "lightCount" | "waitingCount",
  ): readonly [string, Each] | undefined {
    let least: readonly [string, Each] | undefined;
    for (const entry of this.accounts)
      if (entry[1][counted] > 0 && (!least || usedBy(entry[1], now) < usedBy(least[1], now)))
        least = entry;
    return least;
  }

  isFarBehind(account: Each, now: number): boolean {
    for (const other of this.accounts.values())
      if (other !== account && isBusy(other))
        if (usedBy(other, now) - usedBy(account, now) < creditMs / 2) return false;
    return true;
  }

  isBusy(): boolean {
    for (const account of this.accounts.values()) if (isBusy(account)) return true;
    return false;
  }

  clear(): void {
    this.accounts.clear();
    this.#floorMs = 0;
  }

  #raiseFloor(now: number): void {
    let least = Infinity;
    for (const account of this.accounts.values())
      if (isBusy(account)) least = Math.min(least, usedBy(account, now));
    if (least < Infinity) this.#floorMs = Math.max(this.#floorMs, least);
  }

  #forget(): void {
    if (this.accounts.size < idleCount) return;
    for (const [id, account] of this.accounts)
      if (!isBusy(account) && account.usedMs <= this.#floorMs) this.accounts.delete(id);
  }
}

function newAccount(): Account {
  return { usedMs: 0, waitingCount: 0, lightCount: 0, runningCount: 0, startedMsSum: 0 };
}

function isBusy({ waitingCount, runningCount }: Account): boolean {
  return waitingCount + runningCount > 0;
}

function usedBy({ usedMs, runningCount, startedMsSum }: Account, now: number): number {
  return usedMs + runningCount * now - startedMsSum;
}
