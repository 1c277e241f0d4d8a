import type { Tenant } from "./tenant.ts";

/** An item that waits. */
export interface Waiting<Item> {
  readonly tenant: Tenant;
  readonly item: Item;
  readonly since: number;
}

/** Accounts kept before idle ones without a debt are forgotten. */
const idleCount = 64;

/** The account of a user, of an organization, or of everybody: their use, and the items that wait. */
export class Account<Item> {
  /** The account that this one is a part of; the root is its own. */
  readonly whole: Account<Item>;
  /** This account, its whole, and so on. All are charged together. */
  readonly chain: readonly Account<Item>[];
  /** Users of an organization, or organizations. Those who have been busy for longest come first. */
  readonly parts = new Map<string, Account<Item>>();
  /** Waiting items of a user. */
  readonly heavy: Waiting<Item>[] = [];
  readonly light: Waiting<Item>[] = [];
  /** Counts of waiting items, and of the light ones among them. */
  waitingCount = 0;
  lightCount = 0;
  runningCount = 0;
  /** Used so far. The start of each running item is subtracted, so its use is the difference to the present. */
  used = 0;
  /** Where idle parts start again, less the credit. Never decreases while a part is busy. */
  #floor = 0;

  constructor(whole?: Account<Item>) {
    this.whole = whole ?? this;
    this.chain = [this, ...(whole?.chain ?? [])];
  }

  get isBusy(): boolean {
    return this.waitingCount + this.runningCount > 0;
  }

  usedAt(now: number): number {
    return this.used + this.runningCount * now;
  }

  /** Returns a part; an idle one is moved up to the busy ones, less the credit. */
  wake(id: string, now: number, credit: number): Account<Item> {
    const known = this.parts.get(id);
    if (known?.isBusy) return known;
    let least = Infinity;
    for (const part of this.parts.values())
      if (part.isBusy) least = Math.min(least, part.usedAt(now));
    if (least < Infinity) this.#floor = Math.max(this.#floor, least);
    const part = known ?? new Account(this);
    part.used = Math.max(part.used, this.#floor - credit);
    this.parts.delete(id);
    if (this.parts.size >= idleCount)
      for (const [other, { isBusy, used }] of this.parts)
        if (!isBusy && used <= this.#floor) this.parts.delete(other);
    this.parts.set(id, part);
    return part;
  }

  /** Returns the part that used least, of those for which something waits. */
  least(counted: "waitingCount" | "lightCount", now: number): Account<Item> | undefined {
    let least: Account<Item> | undefined;
    let leastUsed = Infinity;
    for (const part of this.parts.values()) {
      if (part[counted] === 0) continue;
      const used = part.usedAt(now);
      if (used < leastUsed) [least, leastUsed] = [part, used];
    }
    return least;
  }

  /** Forgets what the parts have used, when none is busy. */
  forgetIdle(): void {
    if (this.isBusy) return;
    this.parts.clear();
    this.#floor = 0;
  }
}
