/** Looks at intervals, and earlier when something is known to begin. */
export interface Lookout {
  /** Has the next look come within so many milliseconds, or as soon as one may follow the last. */
  lookIn(waitMs: number): void;
  close(): void;
}

export interface LookoutOptions {
  /** Resolves to the milliseconds until the next thing begins, Infinity for none; it does not reject. */
  readonly look: () => Promise<number>;
  /** The longest time between two looks. */
  readonly everyMs: number;
  /** The shortest time between two looks. */
  readonly leastMs: number;
  /** Milliseconds of a clock that is never set. */
  readonly now?: () => number;
  /** Runs something after so many milliseconds; returns what prevents it. */
  readonly later?: (run: () => void, ms: number) => () => void;
}

/** Begins to look, at once; one look at a time. */
export function openLookout(options: LookoutOptions): Lookout {
  const { look, everyMs, leastMs, now = () => performance.now(), later = startTimer } = options;
  let cancel = (): void => undefined;
  let [nextAt, lookedAt] = [Infinity, -Infinity];
  let isLooking = false;
  let isClosed = false;
  const lookIn = (waitMs: number) => {
    const at = Math.max(now() + waitMs, lookedAt + leastMs);
    if (isClosed || at >= nextAt) return;
    cancel();
    nextAt = at;
    cancel = later(() => void run(), at - now());
  };
  const run = async () => {
    nextAt = Infinity;
    lookedAt = now();
    if (isLooking) return lookIn(leastMs);
    isLooking = true;
    const waitMs = await look();
    isLooking = false;
    lookIn(Math.min(everyMs, waitMs));
  };
  void run();
  return {
    lookIn,
    close() {
      isClosed = true;
      cancel();
    },
  };
}

function startTimer(run: () => void, ms: number): () => void {
  // Node's timers fire up to a millisecond early.
  const timer = setTimeout(run, Math.ceil(ms) + 1);
  return () => clearTimeout(timer);
}
