import type { Dictionary } from "../column/texts/dictionary.ts";

export interface Preparing {
  /** Tells that rows came. */
  note(): void;
  end(): void;
}

/** How long rows have to have come before, and how long other work keeps the preparing waiting. */
const quietMs = 10;
/** Where rows come again and again, one part in so many of the time is spent on it. */
const timeShare = 10;
/** Up to here an order is made in some 2 ms, during which nothing else runs. */
const mostTexts = 2 ** 16;
const mostBytes = 2 ** 23;

/**
 * Orders the dictionaries of columns in memory after rows came, so that the first question that sorts by a text finds
 * the order made; one dictionary at a time, and only when nothing is asked. Larger ones, those without an index, and
 * what comes in between are ordered when a question needs it: an order is the same whoever asks. Does not keep the
 * process. What orders take is counted with each entry of a dictionary. A failure ends the preparing: whoever needs the
 * order meets it, and is told.
 */
export function startPreparing({
  dictionaries,
  isBusy,
}: {
  readonly dictionaries: () => readonly (Dictionary | undefined)[];
  /** Whether the store is asked something, which goes first. */
  readonly isBusy: () => boolean;
}): Preparing {
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
