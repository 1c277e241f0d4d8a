/** Runs work when its turn comes. */
export type InTurn = <Result>(run: () => Promise<Result>) => Promise<Result>;

/** Lets `atOnce` pieces of work be under way at a time; others wait in the order in which they came. */
export function createTurns(atOnce: number): InTurn {
  const waiting: (() => void)[] = [];
  let freeCount = atOnce;
  return async (run) => {
    if (freeCount > 0) freeCount--;
    else await new Promise<void>((resolve) => void waiting.push(resolve));
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else freeCount++;
    }
  };
}
