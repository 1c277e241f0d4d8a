import type { Server } from "node:http";

/** Milliseconds that calls under way get to finish. */
const graceMs = 10_000;
/** Milliseconds between looks for connections whose call has been answered. */
const lookMs = 25;

/**
 * Makes the close of a listening server: no new connections, idle ones ended at once, busy ones after
 * their answer or the grace period. A client that goes on asking over a kept connection is told to end it.
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
