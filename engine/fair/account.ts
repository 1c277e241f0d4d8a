import type { Tenant } from "./tenant.ts";

/** A waiting item, its tenant, and the time at which it started to wait, in the unit of the clock. */
export interface Waiting<Item> {
  readonly tenant: Tenant;
  readonly item: Item;
  readonly since: number;
}

/** If there are more accounts than this, idle accounts without debt are removed. */
const idleCount = 64;

/**
 * The account of a user, of an organization, or of all organizations. It records the use of the resource, and the
 * waiting items.
 */
export class Account<Item> {
  /** The account of which this account is a part. The root account is a part of itself. */
  readonly whole: Account<Item>;
  /**
   * This account and all accounts to which it belongs, directly or indirectly. A charge to this account is a charge to
   * all of them.
   */
  readonly chain: readonly Account<Item>[];
  /**
   * The accounts of the organizations, or of one organization's users, by id. The accounts that have been busy longest
   * come first.
   */
  readonly parts = new Map<string, Account<Item>>();
  /** The waiting items of a user, in order of arrival. Empty for other accounts. */
  readonly heavy: Waiting<Item>[] = [];
  readonly light: Waiting<Item>[] = [];
  /** Number of waiting items, and how many of them are light. */
  waitingCount = 0;
  lightCount = 0;
  runningCount = 0;
  /**
   * Recorded use. The start time of each running item has been subtracted. The current use is therefore this number,
   * plus the number of running items times the current time.
   */
  used = 0;
  /**
   * When an idle part becomes busy, its use is raised to this level minus the credit. Never decreases
   * while a part is busy.
   */
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

  /**
   * Returns a part, creating it if needed. If the part was idle, raises its use to the level of the busy parts, minus
   * the credit.
   */
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

  /** Returns the part with the least use among the parts with waiting items. */
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

  /** Resets the use of all parts if none is busy. */
  forgetIdle(): void {
    if (this.isBusy) return;
    this.parts.clear();
    this.#floor = 0;
  }
}
