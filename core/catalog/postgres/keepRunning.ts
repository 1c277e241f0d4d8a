import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "../log.ts";
import type { ServerProcess } from "./serverProcess.ts";

const shortestPauseMs = 100;
const longestPauseMs = 10_000;

/** A server that is restarted whenever it stops. */
export interface KeptServer {
  /** Stops the server, or the attempt to start it, permanently. */
  stop(): Promise<void>;
}

/**
 * Restarts a server whenever it stops: at first immediately, and then after pauses that double up to ten seconds.
 * `start` resolves to a server that accepts connections. Waiting for the server does not keep the process alive.
 */
export function keepRunning(
  first: ServerProcess,
  start: () => Promise<ServerProcess>,
  log: Log,
): KeptServer {
  const stopping = new AbortController();
  const { signal } = stopping;
  let server = first;
  const startAgain = async () => {
    for (let pauseMs = shortestPauseMs; !signal.aborted;) {
      try {
        server = await start();
        log.info({}, "the embedded PostgreSQL is ready again");
        return;
      } catch (failure) {
        log.error({ err: failure, pauseMs }, "the embedded PostgreSQL could not be restarted");
      }
      await pause(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  };
  const watch = async () => {
    while (!signal.aborted) {
      const reason = await server.ended;
      if (signal.aborted) return;
      log.error({ reason }, "the embedded PostgreSQL has stopped and is being restarted");
      await startAgain();
    }
  };
  const watching = watch();
  return {
    async stop() {
      stopping.abort();
      await server.stop();
      await watching;
      // The server may have been starting during the first stop.
      await server.stop();
    },
  };
}
