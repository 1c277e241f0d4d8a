import { platform } from "node:process";
import { createServerShares, type ServerShares } from "./createServerShares.ts";
import { commandOf, readProcesses } from "./readProcesses.ts";

/** The share of each file in the time of the servers that this process starts. */
export interface ServerWatch extends Pick<ServerShares, "begin" | "use" | "end"> {
  stop(): void;
  /** Processor time in milliseconds by file, or undefined where the system does not show processes. */
  readonly msByFile: ReadonlyMap<string, number> | undefined;
}

/** Milliseconds between two samples. Sampling 200 processes takes 2 ms. */
const lookMs = 200;

/** Measures the servers of a run. Linux only. */
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
