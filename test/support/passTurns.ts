import { setImmediate as turn } from "node:timers/promises";

/**
 * Waits for the given number of turns of the event loop. Each turn reads the data that has arrived at sockets. A timer
 * would not guarantee that this data is read: on a busy machine, the timer fires late, before sockets are read.
 */
export async function passTurns(count: number): Promise<void> {
  for (let each = 0; each < count; each++) await turn();
}
