/** Runs tasks, a limited number of them at a time. Further tasks wait in the order of the calls. */
export interface Places {
  run<Result>(task: () => Promise<Result>): Promise<Result>;
  /** Whether no task runs or waits. */
  readonly isIdle: boolean;
  readonly waitingCount: number;
  /** Milliseconds for which the first waiting task has waited; 0 if none waits. */
  readonly waitedMs: number;
}

interface Waiting {
  readonly begin: () => void;
  readonly sinceMs: number;
}

/** Creates places for `count` tasks. `now` is a monotonic clock in milliseconds. */
export function createPlaces(count: number, now = () => performance.now()): Places {
  const waiting: Waiting[] = [];
  let free = count;
  return {
    async run(task) {
      if (free > 0) free--;
      else await new Promise<void>((begin) => waiting.push({ begin, sinceMs: now() }));
      try {
        return await task();
      } finally {
        const next = waiting.shift();
        if (next) next.begin();
        else free++;
      }
    },
    get isIdle() {
      return free === count;
    },
    get waitingCount() {
      return waiting.length;
    },
    get waitedMs() {
      const [first] = waiting;
      return first ? now() - first.sinceMs : 0;
    },
  };
}
