import { platform } from "node:process";
import { createServerShares, type ServerShares } from "./createServerShares.ts";
import { commandOf, readProcesses } from "./readProcesses.ts";

/**
 * Measures the processor time of the servers that this process starts, and the share of it that each test file causes.
 */
export interface ServerWatch extends Pick<ServerShares, "begin" | "use" | "end"> {
  stop(): void;
  /** Processor time in milliseconds, by file. Undefined if the system does not list processes. */
  readonly msByFile: ReadonlyMap<string, number> | undefined;
}

/** Milliseconds between two samples. Sampling 200 processes takes 2 ms. */
const lookMs = 200;

/** Starts to measure the servers of a run. Linux only. */
export function watchServers(): ServerWatch {
  const shares = createServerShares();
  const isShown = platform === "linux";
  const look = () => {
    if (isShown) shares.look(process.pid, { processes: readProcesses(), commandOf });
  };
  const timer = setInterval(look, lookMs);
  return {
    begin: shares.begin,
    use: shares.use,
    end: shares.end,
    stop() {
      clearInterval(timer);
      look();
    },
    msByFile: isShown ? shares.msByFile : undefined,
  };
}
