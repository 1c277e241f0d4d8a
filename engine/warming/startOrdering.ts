import type { Dictionary } from "../column/texts/dictionary.ts";

export interface Ordering {
  /** Call it when rows have arrived. */
  note(): void;
  end(): void;
}

/** Milliseconds to wait after rows have arrived, and while other work goes first. */
const quietMs = 10;
/** If rows arrive continuously, ordering takes at most one part in this many of the time. */
const timeShare = 10;
/** Size of the largest dictionary that is ordered. That takes about 2 ms, during which nothing else runs. */
const mostTexts = 2 ** 16;
const mostBytes = 2 ** 23;

/**
 * Orders the dictionaries of columns in memory after rows have arrived, so that the first query that sorts by a text
 * column finds the order ready. Orders one dictionary at a time, and only when no query runs. Larger dictionaries, and
 * dictionaries without an index, are ordered when a query needs it. Does not keep the process alive. A failure ends the
 * ordering; the query that needs the order will report it. The memory of an order is included in the estimate for each
 * entry of its dictionary.
 */
export function startOrdering({
  dictionaries,
  isBusy,
}: {
  readonly dictionaries: () => readonly (Dictionary | undefined)[];
  /** Returns whether the store has queries or changes, which go first. */
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
