import { platform } from "node:process";
import { readProcess } from "./readProcesses.ts";

/**
 * Returns the processor time used by this process and its threads, in milliseconds. On Linux it includes child
 * processes that have ended.
 */
export function processorTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000 + childrenMs();
}

function childrenMs(): number {
  if (platform !== "linux") return 0;
  return readProcess(process.pid)?.endedMs ?? 0;
}
