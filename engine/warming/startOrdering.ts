import type { Dictionary } from "../column/texts/dictionary.ts";

export interface Ordering {
  /** Records that rows have arrived, so that the dictionaries of their columns will be ordered. */
  note(): void;
  end(): void;
}

/** Milliseconds to wait after rows have arrived, and between two checks of whether other work has ended. */
const quietMs = 10;
/** If rows arrive continuously, ordering uses at most one part in this many of the main thread's time. */
const timeShare = 10;
/**
 * Maximum number of strings in a dictionary that is ordered in advance. Ordering them takes about 2 ms, during which
 * nothing else runs.
 */
const mostTexts = 2 ** 16;
const mostBytes = 2 ** 23;

/**
 * Orders the dictionaries of columns in memory after rows have arrived, so that the order is known before a query first
 * sorts by a text column. Orders one dictionary at a time, and only while no query runs. Larger dictionaries, and
 * dictionaries without an index, are ordered when a query needs their order. Does not keep the process alive. After a
 * failure, it orders no more dictionaries, because the query that needs the order reports the failure. The memory
 * estimate per dictionary entry includes the order.
 */
export function startOrdering({
  dictionaries,
  isBusy,
}: {
  readonly dictionaries: () => readonly (Dictionary | undefined)[];
  /** Returns whether the store has queries or changes. These go first. */
  readonly isBusy: () => boolean;
}): Ordering {
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;
  let pauseMs = quietMs;
  const note = () => {
    if (!isEnded) timer ??= setTimeout(step, pauseMs).unref();
  };
  const end = () => {
    isEnded = true;
    clearTimeout(timer);
  };
  const step = () => {
    timer = undefined;
    if (isBusy()) return note();
    const startedAt = performance.now();
    const next = dictionaries().find((dictionary) => dictionary && needsOrder(dictionary));
    try {
      next?.order();
    } catch {
      return end();
    }
    pauseMs = Math.max(quietMs, (performance.now() - startedAt) * (timeShare - 1));
    if (next) note();
  };
  return { note, end };
}

function needsOrder(dictionary: Dictionary): boolean {
  const { isOrdered, isIndexed, size, memoryBytes } = dictionary;
  return !isOrdered && isIndexed && size <= mostTexts && memoryBytes <= mostBytes;
}
