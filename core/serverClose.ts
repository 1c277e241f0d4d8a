import type { Server } from "node:http";

/** Milliseconds that calls under way get to finish. */
const graceMs = 10_000;

/** Makes the close of a listening server: no new connections, idle ones ended at once, busy ones after their answer or the grace period. */
export function createServerClose(server: Server): () => Promise<void> {
  return () =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => server.closeAllConnections(), graceMs);
      server.close((failure) => {
        clearTimeout(late);
        if (failure) reject(failure);
        else resolve();
      });
      server.closeIdleConnections();
    });
}
