import { setImmediate as turn } from "node:timers/promises";

/**
 * Lets so many turns of the event loop pass. Each reads what has arrived by then, which a timer does not promise: on a
 * busy machine it is late, and comes before what waits at the sockets.
 */
export async function passTurns(count: number): Promise<void> {
  for (let each = 0; each < count; each++) await turn();
}
