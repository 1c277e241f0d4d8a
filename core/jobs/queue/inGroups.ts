import { setTimeout as sleep } from "node:timers/promises";

export interface GroupOptions {
  readonly mostItems: number;
  /**
   * Minimum number of milliseconds between the starts of two groups.
   * @default 0
   */
  readonly everyMs?: number;
  /** Waits for the given number of milliseconds; replaced in tests. */
  readonly wait?: (ms: number) => Promise<unknown>;
  readonly now?: () => number;
}

/**
 * Creates a function that handles items in groups. Items that arrive while a group is running, or before the next group
 * may start, form the next group. One statement then serves all waiting items, and a single item does not wait. `run`
 * returns one result per item, in order. If a group of several items fails, it runs again item by item, so that one
 * item cannot make the others fail.
 */
export function inGroups<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  { mostItems, everyMs = 0, wait = sleep, now = () => performance.now() }: GroupOptions,
): (item: Item) => Promise<Result> {
  interface Waiting {
    readonly item: Item;
    readonly resolve: (result: Result) => void;
    readonly reject: (failure: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let isUnderWay = false;
  let nextAt = -Infinity;
  const runGroup = async (group: readonly Waiting[]): Promise<void> => {
    try {
      const results = await run(group.map(({ item }) => item));
      group.forEach(({ resolve }, index) => resolve(results[index]!));
    } catch (failure) {
      if (group.length === 1) group[0]?.reject(failure);
      else for (const each of group) await runGroup([each]);
    }
  };
  const runAll = async () => {
    isUnderWay = true;
    // Items that arrive in the same turn of the event loop form one group.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const leftMs = nextAt - now();
      if (leftMs > 0 && waiting.length < mostItems) await wait(leftMs);
      nextAt = now() + everyMs;
      const group = waiting.slice(0, mostItems);
      waiting = waiting.slice(mostItems);
      await runGroup(group);
    }
    isUnderWay = false;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isUnderWay) void runAll();
    });
}
