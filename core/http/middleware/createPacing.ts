/** Paces the work on all bodies, in the order of the calls to `take`. */
export interface Pacing {
  /** Counts work on `bytes`. Returns undefined if the work may continue now, or a promise for when it may. */
  take(bytes: number): Promise<void> | undefined;
}

/** Bytes scanned per turn of the event loop, which take a few milliseconds. Parsing counts for more. */
const usualBytes = 2 ** 20;
/** The work that a source usually does between two calls. */
const partBytes = 64 * 2 ** 10;

/**
 * Creates the pacing of one host: each turn of the event loop does a bounded part of the work. It is not shared by
 * tenant, because the sender of a body is unknown until it is scanned.
 */
export function createPacing(bytesATurn: number = usualBytes): Pacing {
  const waiting: (() => void)[] = [];
  let left = bytesATurn;
  let isTurnDue = false;

  const begin = () => {
    isTurnDue = false;
    left = bytesATurn;
    for (let due = left; due > 0 && waiting.length > 0; due -= partBytes) waiting.shift()!();
    if (waiting.length > 0) dueTurn();
  };
  const dueTurn = () => {
    if (!isTurnDue) setImmediate(begin);
    isTurnDue = true;
  };
  return {
    take(bytes) {
      left -= bytes;
      dueTurn();
      if (left > 0 && waiting.length === 0) return undefined;
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
}
