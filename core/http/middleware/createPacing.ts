/** Paces the work on all bodies, in the order in which it is asked for. */
export interface Pacing {
  /** Counts work on so many bytes that was done; undefined, or when to go on. */
  take(bytes: number): Promise<void> | undefined;
}

/** Bytes that a turn of the event loop scans, a few milliseconds; parsing counts for more. */
const usualBytes = 2 ** 20;
/** The work that a source is likely to do before it asks again. */
const partBytes = 64 * 2 ** 10;

/**
 * Creates the pacing of one host: a turn of the event loop does a bounded part of the work. It is not shared by tenant:
 * whose a body is, nobody knows before it is scanned.
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
