/**
 * Work on all bodies, dealt out in the order in which it is asked for, so that a turn of the event loop does a bounded
 * part of it.
 */
export interface Turns {
  /** Counts work on so many bytes that was done; undefined, or when to go on. */
  take(bytes: number): Promise<void> | undefined;
}

/** Bytes that a turn scans, a few milliseconds; parsing counts for more. */
const usualBytes = 2 ** 20;
/** The work that a source is likely to do before it asks again. */
const partBytes = 64 * 2 ** 10;

/** Creates the turns of one host. */
export function createTurns(bytesATurn: number = usualBytes): Turns {
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
