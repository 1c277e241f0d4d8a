import type { Server } from "node:http";

/** Milliseconds that running calls have to finish. */
const graceMs = 10_000;
/** Milliseconds between checks for connections whose call has been answered. */
const lookMs = 25;

/**
 * Creates the function that closes a listening server. It accepts no new connections, closes idle ones at once, and
 * closes busy ones after their response or the grace period. Clients that reuse a connection are told to close it.
 */
export function createServerClose(server: Server): () => Promise<void> {
  return () =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => server.closeAllConnections(), graceMs);
      const look = setInterval(() => server.closeIdleConnections(), lookMs);
      server.prependListener("request", (_, response) => response.setHeader("Connection", "close"));
      server.close((failure) => {
        clearTimeout(late);
        clearInterval(look);
        if (failure) reject(failure);
        else resolve();
      });
    });
}
