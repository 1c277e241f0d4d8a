import { readFileSync } from "node:fs";

/** Milliseconds of processor time that this process took so far, all threads. */
export function ownProcessorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Milliseconds of processor time that other processes took so far, in steps of 10; 0 without `/proc`. */
export function processorMsOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + ticksOf(pid) * 10, 0);
}

function ticksOf(pid: number): number {
  try {
    const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
    const [user, system] = fields.split(" ").slice(11, 13);
    return Number(user) + Number(system);
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === "ENOENT") return 0;
    throw failure;
  }
}
