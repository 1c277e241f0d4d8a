import type { Server } from "node:http";

/** How long running calls may take to finish, in milliseconds. */
const graceMs = 10_000;
/** Milliseconds between two checks for connections whose call has been answered. */
const lookMs = 25;

/**
 * Creates the function that closes a listening server. The function refuses new connections, closes idle connections at
 * once, and closes busy connections after their response or the grace period. Clients that keep a connection open are
 * told to close it.
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
