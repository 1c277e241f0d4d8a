/** Polls at intervals, or earlier if an item is known to start before the next poll. */
export interface Lookout {
  /** Makes the next poll happen within `waitMs`, or as soon as the minimum interval allows. */
  lookIn(waitMs: number): void;
  close(): void;
}

export interface LookoutOptions {
  /**
   * Polls. Resolves to the milliseconds until the next item starts, or to Infinity if no item is planned. Must not
   * reject.
   */
  readonly look: () => Promise<number>;
  /** Maximum milliseconds between two polls. */
  readonly everyMs: number;
  /** Minimum milliseconds between two polls. */
  readonly leastMs: number;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
  /** Schedules a function, and returns a function that cancels it. */
  readonly later?: (run: () => void, ms: number) => () => void;
}

/** Starts polling at once, with one poll at a time. */
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
