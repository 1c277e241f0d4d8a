import type { Tenant } from "../../../engine/fair/index.ts";

interface Entry {
  readonly tenant: Tenant;
  readonly item: string;
  readonly since: number;
  readonly isLight: boolean;
}

interface Run {
  readonly tenant: Tenant;
  readonly since: number;
}

/** The recorded use of an organization or user. `order` is the order in which accounts became busy. */
interface Account {
  used: number;
  order: number;
}

interface Options {
  readonly credit: number;
  readonly patience: number;
  readonly now: () => number;
}

const kindOf = ({ isBackground }: Tenant) => (isBackground ? "background" : "people");
const organizationOf = (tenant: Tenant) => `${kindOf(tenant)}/${tenant.organization}`;
const userOf = (tenant: Tenant) => `${organizationOf(tenant)}/${tenant.user}`;
const wholeOf = (path: string) => path.slice(0, path.lastIndexOf("/"));

/**
 * Implements the rules of fair shares in the simplest way. A single list contains everything that waits or runs, and
 * every operation searches this list. An account is named by its path: `people`, `people/organization` or
 * `people/organization/user`.
 */
export class PlainShares {
  waiting: Entry[] = [];
  running: Run[] = [];
  readonly #accounts = new Map<string, Account>();
  readonly #floors = new Map<string, number>();
  readonly #options: Options;
  #wokenCount = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  add(tenant: Tenant, item: string, isLight: boolean): void {
    this.#wake(tenant);
    this.waiting.push({ tenant, item, isLight, since: this.#options.now() });
  }

  remove(item: string): void {
    this.waiting = this.waiting.filter((entry) => entry.item !== item);
    this.#forget();
  }

  charge(tenant: Tenant): () => void {
    this.#wake(tenant);
    const run = { tenant, since: this.#options.now() };
    this.running.push(run);
    return () => {
      this.running = this.running.filter((other) => other !== run);
      this.#use(tenant, this.#options.now() - run.since);
      this.#forget();
    };
  }

  pay(tenant: Tenant, amount: number): void {
    this.#wake(tenant);
    this.#use(tenant, amount);
    this.#forget();
  }

  next(): string | undefined {
    const entries = this.#entitled();
    const [least] = entries.toSorted((one, other) => this.#compare(one, other));
    if (!least) return undefined;
    const ofLeast = entries.filter(({ tenant }) => userOf(tenant) === userOf(least.tenant));
    const heavy = ofLeast.find(({ isLight }) => !isLight);
    if (heavy && this.#options.now() - heavy.since > this.#options.patience) return heavy.item;
    const light = this.nextLight();
    if (light && !this.isFarAhead(light.tenant, least.tenant)) return light.item;
    return (ofLeast.find(({ isLight }) => isLight) ?? least).item;
  }

  nextLight(): Entry | undefined {
    const [light] = this.#entitled()
      .filter(({ isLight }) => isLight)
      .toSorted((one, other) => this.#compare(one, other));
    return light;
  }

  isFarAhead(tenant: Tenant, than: Tenant): boolean {
    if (kindOf(tenant) !== kindOf(than)) return kindOf(tenant) === "background";
    this.#wake(tenant);
    this.#wake(than);
    const pathOf = organizationOf(tenant) === organizationOf(than) ? userOf : organizationOf;
    return this.#usedBy(pathOf(tenant)) - this.#usedBy(pathOf(than)) > this.#options.credit;
  }

  isFarBehind(tenant: Tenant, than: Tenant): boolean {
    if (kindOf(tenant) !== kindOf(than)) return kindOf(than) === "background";
    this.#wake(tenant);
    if (userOf(tenant) === userOf(than)) return false;
    const pathOf = organizationOf(tenant) === organizationOf(than) ? userOf : organizationOf;
    const own = pathOf(tenant);
    return this.#busyIn(wholeOf(own))
      .filter((path) => path !== own)
      .every((path) => this.#usedBy(path) - this.#usedBy(own) >= this.#options.credit / 2);
  }

  /** Returns the waiting entries of people, or the background's entries if no person's entry waits. */
  #entitled(): Entry[] {
    const people = this.waiting.filter(({ tenant }) => !tenant.isBackground);
    return people.length > 0 ? people : this.waiting;
  }

  /**
   * Compares first the organizations and then the users of two entries: by use, and if it is equal, by the time when
   * they became busy. Finally compares the entries by arrival.
   */
  #compare(one: Entry, other: Entry): number {
    for (const pathOf of [organizationOf, userOf]) {
      const [path, otherPath] = [pathOf(one.tenant), pathOf(other.tenant)];
      if (path === otherPath) continue;
      const [account, otherAccount] = [this.#account(path), this.#account(otherPath)];
      return this.#usedBy(path) - this.#usedBy(otherPath) || account.order - otherAccount.order;
    }
    return 0;
  }

  #account(path: string): Account {
    const account = this.#accounts.get(path) ?? { used: 0, order: 0 };
    this.#accounts.set(path, account);
    return account;
  }

  #usedBy(path: string): number {
    const now = this.#options.now();
    const runs = this.running.filter(({ tenant }) => `${userOf(tenant)}/`.startsWith(`${path}/`));
    return this.#account(path).used + runs.reduce((sum, { since }) => sum + now - since, 0);
  }

  /** Returns the busy organizations of a kind, or the busy users of an organization. */
  #busyIn(whole: string): string[] {
    const busy = [...this.waiting, ...this.running].flatMap(({ tenant }) => [
      kindOf(tenant),
      organizationOf(tenant),
      userOf(tenant),
    ]);
    return [...new Set(busy)].filter((path) => path.includes("/") && wholeOf(path) === whole);
  }

  #use(tenant: Tenant, amount: number): void {
    this.#account(organizationOf(tenant)).used += amount;
    this.#account(userOf(tenant)).used += amount;
  }

  /** Raises the use of an idle organization and user to the level of the busy ones, minus the credit. */
  #wake(tenant: Tenant): void {
    for (const path of [organizationOf(tenant), userOf(tenant)]) {
      const whole = wholeOf(path);
      const busy = this.#busyIn(whole);
      if (busy.includes(path)) continue;
      const least = Math.min(...busy.map((other) => this.#usedBy(other)));
      const before = this.#floors.get(whole) ?? 0;
      const floor = Number.isFinite(least) ? Math.max(before, least) : before;
      this.#floors.set(whole, floor);
      const account = this.#account(path);
      account.used = Math.max(account.used, floor - this.#options.credit);
      account.order = ++this.#wokenCount;
    }
  }

  /**
   * Resets the use of an organization's users if none of them is busy any more. Resets the use of everyone if nobody is
   * busy.
   */
  #forget(): void {
    for (const path of this.#accounts.keys())
      if (this.#busyIn(wholeOf(path)).length === 0) this.#accounts.delete(path);
    for (const whole of this.#floors.keys())
      if (this.#busyIn(whole).length === 0) this.#floors.delete(whole);
  }
}
