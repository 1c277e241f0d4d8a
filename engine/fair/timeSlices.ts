import type { Tenant } from "./tenant.ts";

/** Milliseconds of the main thread that work gets at a time, when its steps are short. */
const sliceMs = 2;
/** Slices by which somebody who comes after a rest goes before those who are busy. */
const creditMs = 2 * sliceMs;

interface Share {
  /** Milliseconds of the main thread, on a clock that all shares of a level have in common. */
  usedMs: number;
}

interface OrganizationShare extends Share {
  readonly users: Map<string, Share>;
}

interface Waiting {
  readonly organization: OrganizationShare;
  readonly user: Share;
  readonly isBackground: boolean;
  readonly start: () => void;
}

/**
 * The turns of the main thread: work that takes longer than a slice is done in slices, one between two looks at what
 * came from outside, so that calls that come are begun meanwhile. Next is the organization that used least, in it the
 * user who did. Work that nobody waits beside begins at once. Work of background tenants comes last.
 */
export class TimeSlices {
  readonly #organizations = new Map<string, OrganizationShare>();
  #waiting: Waiting[] = [];
  #isTaken = false;
  readonly #servedMs = { people: 0, background: 0 };

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
        const startedAt = performance.now();
        do {
          const { done, value } = steps.next();
          if (done) return value;
        } while (performance.now() - startedAt < sliceMs);
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
    const next = function* (): Generator<undefined, IteratorResult<Item | undefined, unknown>> {
      for (;;) {
        const made = items.next();
        if (made.done || made.value !== undefined) return made;
        yield;
      }
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
   * Resolves when it is the tenant's turn; at once where nobody has one. The turn lasts until the main thread looks at
   * what came from outside, so calls begin one after the other, and a call that comes meanwhile waits for one of them.
   */
  async begin(tenant: Tenant): Promise<void> {
    setImmediate(await this.#take(tenant));
  }

  /** Resolves when it is the tenant's turn; the slice lasts until the function is called that it resolves to. */
  async #take(tenant: Tenant): Promise<() => void> {
    const { organization, user } = this.#sharesOf(tenant);
    const isBackground = tenant.isBackground === true;
    if (this.#isTaken || this.#waiting.length > 0)
      await new Promise<void>((start) =>
        this.#waiting.push({ organization, user, isBackground, start }),
      );
    else this.#isTaken = true;
    const startedAt = performance.now();
    return () => {
      const tookMs = performance.now() - startedAt;
      for (const share of [organization, user]) share.usedMs += tookMs;
      setImmediate(() => this.#next());
    };
  }

  #next(): void {
    const [first, ...others] = this.#waiting;
    if (!first) {
      this.#isTaken = false;
      this.#organizations.clear();
      return;
    }
    let next = first;
    for (const other of others) if (isBefore(other, next)) next = other;
    const kind = kindOf(next);
    this.#servedMs[kind] = Math.max(this.#servedMs[kind], next.organization.usedMs);
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    next.start();
  }

  #sharesOf(tenant: Tenant) {
    const { organization: organizationId, user: userId } = tenant;
    const kind = kindOf(tenant);
    const key = `${kind} ${organizationId}`;
    const known = this.#organizations.get(key);
    const organization = known ?? {
      usedMs: this.#servedMs[kind] - creditMs,
      users: new Map<string, Share>(),
    };
    this.#organizations.set(key, organization);
    const leastMs = Math.min(...[...organization.users.values()].map(({ usedMs }) => usedMs));
    const user = organization.users.get(userId) ?? {
      usedMs: Number.isFinite(leastMs) ? leastMs - creditMs : 0,
    };
    organization.users.set(userId, user);
    return { organization, user };
  }
}

const kindOf = ({ isBackground }: { readonly isBackground?: boolean }) =>
  isBackground ? "background" : "people";

function isBefore(one: Waiting, other: Waiting): boolean {
  if (one.isBackground !== other.isBackground) return other.isBackground;
  if (one.organization !== other.organization)
    return one.organization.usedMs < other.organization.usedMs;
  return one.user.usedMs < other.user.usedMs;
}
