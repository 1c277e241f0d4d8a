import { PluginError } from "../protocol/index.ts";

/** Functions with which a pool opens, reuses and closes its sessions, and the limits of the pool. */
export interface PoolOptions<Session> {
  /** Name of the source in messages, without secrets. */
  readonly source: string;
  /** Opens a session. If opening fails, the caller gets the error. */
  open(signal: AbortSignal): Promise<Session>;
  /** Closes a session, which may be damaged. Must not fail. */
  end(session: Session): Promise<void>;
  /**
   * Prepares a session for reuse after work on it has ended. If the preparation fails, that work also fails. Absent: no
   * preparation is needed.
   */
  reset?(session: Session): void | Promise<void>;
  /**
   * Returns whether a session can be used again after work on it failed with this error. Absent: the session is always
   * closed.
   */
  survives?(failure: unknown): boolean;
  /** Maximum number of open sessions. */
  readonly most: number;
  /**
   * Maximum number of sessions that one holder can use at the same time, so that no holder can take all sessions.
   * @default `most`
   */
  readonly mostPerHolder?: number;
  /** Milliseconds after which an unused session is closed. */
  readonly idleMs: number;
  /** Maximum milliseconds to wait for a free session. */
  readonly waitMs: number;
}

/** The sessions of one account. */
export interface Pool<Session> {
  /**
   * Runs work on a session that no other work uses. If the work fails, the session is closed, unless it can be used
   * again after this failure. If several callers wait, the holder with the fewest sessions is served first.
   * @throws {PluginError} PLUGIN_BUSY if no session became free in time
   */
  use<Result>(
    signal: AbortSignal,
    run: (session: Session) => Promise<Result>,
    isUsable?: (session: Session) => boolean,
    holder?: string,
  ): Promise<Result>;
  /** Number of open sessions, both used and idle. */
  readonly openCount: number;
  /** Closes idle sessions immediately, and used sessions when they are returned. Refuses later work. */
  close(): Promise<void>;
}

interface Idle<Session> {
  readonly session: Session;
  readonly timer: NodeJS.Timeout;
}

interface Waiting {
  readonly holder: string;
  readonly enter: () => void;
}

/** Creates an empty pool of sessions. */
export function createPool<Session>(options: PoolOptions<Session>): Pool<Session> {
  const { source, open, end, most, mostPerHolder = most, idleMs, waitMs } = options;
  const idle: Idle<Session>[] = [];
  const waiting: Waiting[] = [];
  const heldBy = new Map<string, number>();
  const ending = new Set<Promise<void>>();
  let usedCount = 0;
  let isClosed = false;
  let whenUnused: (() => void) | undefined;

  const endSession = (session: Session): void => {
    const ended = end(session).finally(() => ending.delete(ended));
    ending.add(ended);
  };
  const takeIdle = (isUsable: (session: Session) => boolean): Session | undefined => {
    for (let found = idle.pop(); found; found = idle.pop()) {
      clearTimeout(found.timer);
      if (isUsable(found.session)) return found.session;
      endSession(found.session);
    }
    return undefined;
  };
  const keep = (session: Session): void => {
    const timer = setTimeout(() => {
      const index = idle.findIndex((each) => each.session === session);
      if (index >= 0) endSession(idle.splice(index, 1)[0]!.session);
    }, idleMs);
    timer.unref();
    idle.push({ session, timer });
  };
  /**
   * Runs work and then resets its session. If the work fails, returns the error if the session can be used again, and
   * otherwise throws it.
   */
  const runThenReset = async <Result>(
    session: Session,
    run: (session: Session) => Promise<Result>,
    isIntact: (failure: unknown) => boolean,
  ): Promise<{ readonly result: Result } | { readonly failure: unknown }> => {
    const outcome = await run(session).then(
      (result) => ({ result }),
      (failure: unknown) => {
        if (!isIntact(failure)) throw failure;
        return { failure };
      },
    );
    await options.reset?.(session);
    return outcome;
  };
  const heldCount = (holder: string): number => heldBy.get(holder) ?? 0;
  const mayEnter = (holder: string): boolean =>
    usedCount < most && heldCount(holder) < mostPerHolder;
  const count = (holder: string, by: 1 | -1): void => {
    usedCount += by;
    const held = heldCount(holder) + by;
    if (held > 0) heldBy.set(holder, held);
    else heldBy.delete(holder);
  };
  /** Waits until fewer than `most` sessions are in use in total, and fewer than `mostPerHolder` by this holder. */
  const enter = async (signal: AbortSignal, holder: string): Promise<void> => {
    signal.throwIfAborted();
    // None of the waiting callers could enter now, so this caller does not overtake anyone.
    if (mayEnter(holder)) return count(holder, 1);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const place: Waiting = { holder, enter: resolve };
    const leave = () => {
      const index = waiting.indexOf(place);
      if (index >= 0) waiting.splice(index, 1);
    };
    const onAbort = () => {
      leave();
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      leave();
      const which =
        heldCount(holder) < mostPerHolder || mostPerHolder === most
          ? `all ${most} connections of the account were`
          : `the ${mostPerHolder} of ${most} connections that one organization may use were`;
      reject(
        new PluginError("PLUGIN_BUSY", [`${source}: ${which} in use for ${waitMs} ms; try again`]),
      );
    }, waitMs);
    waiting.push(place);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    }
  };
  const leave = (holder: string): void => {
    count(holder, -1);
    let next: Waiting | undefined;
    for (const each of waiting)
      if (mayEnter(each.holder) && (!next || heldCount(each.holder) < heldCount(next.holder)))
        next = each;
    if (next) {
      waiting.splice(waiting.indexOf(next), 1);
      count(next.holder, 1);
      next.enter();
    }
    if (usedCount === 0) whenUnused?.();
  };
  return {
    get openCount() {
      return usedCount + idle.length;
    },
    async use(signal, run, isUsable = () => true, holder = "") {
      if (isClosed)
        throw new PluginError("PLUGIN_BUSY", [`${source}: the connection was closed; try again`]);
      await enter(signal, holder);
      try {
        const session = takeIdle(isUsable) ?? (await open(signal));
        const isIntact = (failure: unknown) =>
          !signal.aborted && options.survives?.(failure) === true && isUsable(session);
        const outcome = await runThenReset(session, run, isIntact).catch((failure: unknown) => {
          endSession(session);
          throw failure;
        });
        if (isClosed || !isUsable(session)) endSession(session);
        else keep(session);
        if ("failure" in outcome) throw outcome.failure;
        return outcome.result;
      } finally {
        leave(holder);
      }
    },
    async close() {
      isClosed = true;
      for (const { session, timer } of idle.splice(0)) {
        clearTimeout(timer);
        endSession(session);
      }
      if (usedCount > 0)
        await new Promise<void>((resolve) => {
          whenUnused = resolve;
        });
      await Promise.all(ending);
    },
  };
}
