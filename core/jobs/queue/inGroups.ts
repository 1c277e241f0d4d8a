import { setTimeout as sleep } from "node:timers/promises";

export interface GroupOptions {
  readonly mostItems: number;
  /** Milliseconds between the beginnings of two groups at least; none when absent. */
  readonly everyMs?: number;
  /** For tests. */
  readonly wait?: (ms: number) => Promise<unknown>;
  readonly now?: () => number;
}

/**
 * Makes a function that handles items in groups: items that come while a group is under way, or before the next one
 * may begin, are the next one. So a statement for many items serves as many as wait, and a single one does not wait.
 * `run` returns one result an item, in order. A group of several that fails is run again item by item, so that one of
 * them fails no other.
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
    // Items that come in the same turn of the event loop are one group.
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
