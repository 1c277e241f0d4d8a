/** Runs tasks in the order of the calls, a few at a time. After a failure, no further tasks are started. */
export type Lanes = <Value>(run: () => Promise<Value>) => Promise<Value>;

/** Creates lanes that run at most `laneCount` reads of a find at a time. */
export function createLanes(laneCount: number): Lanes {
  const waiting: (() => void)[] = [];
  let runningCount = 0;
  let failure: { readonly cause: unknown } | undefined;

  return async (run) => {
    if (runningCount < laneCount) runningCount += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      if (failure) throw failure.cause;
      return await run();
    } catch (cause) {
      failure ??= { cause };
      throw cause;
    } finally {
      const next = waiting.shift();
      if (next) next();
      else runningCount -= 1;
    }
  };
}
