/** Runs tasks, a limited number of them at a time. Further tasks wait in the order of the calls. */
export interface Places {
  run<Result>(task: () => Promise<Result>): Promise<Result>;
  /** Whether no task runs or waits. */
  readonly isIdle: boolean;
}

/** Creates places for `count` tasks. */
export function createPlaces(count: number): Places {
  const waiting: (() => void)[] = [];
  let free = count;
  return {
    async run(task) {
      if (free > 0) free--;
      else await new Promise<void>((begin) => waiting.push(begin));
      try {
        return await task();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free++;
      }
    },
    get isIdle() {
      return free === count;
    },
  };
}
