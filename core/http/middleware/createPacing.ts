/** Limits how much body data is processed per turn of the event loop, in the order of the calls to `take`. */
export interface Pacing {
  /**
   * Counts work on `bytes`. Returns undefined if the work may continue now, and otherwise a promise that resolves when
   * the work may continue.
   */
  take(bytes: number): Promise<void> | undefined;
}

/**
 * Number of bytes to scan per turn of the event loop. Scanning them takes a few milliseconds; parsing counts for more.
 */
const usualBytes = 2 ** 20;
/** Number of bytes that a caller usually processes between two calls. */
const partBytes = 64 * 2 ** 10;

/**
 * Creates the pacing of a host, so that each turn of the event loop does a bounded amount of work. Tenants share it,
 * because the sender of a body is unknown until the body has been scanned.
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
