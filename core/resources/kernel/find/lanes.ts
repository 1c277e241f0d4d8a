/**
 * Runs what it is given, a few at a time and in the order in which it was asked; after a failure nothing more is begun.
 */
export type Lanes = <Value>(run: () => Promise<Value>) => Promise<Value>;

/** Makes `laneCount` lanes, for what one find reads side by side. */
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
