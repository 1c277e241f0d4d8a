import { platform } from "node:process";
import { readProcesses } from "../run/readProcesses.ts";

/**
 * Returns the processor time of the running processes in a process group, in milliseconds. Returns 0 on systems that do
 * not report it.
 */
export function groupTimeMs(group: number): number {
  if (platform !== "linux") return 0;
  return readProcesses()
    .filter(({ groupId }) => groupId === group)
    .reduce((sum, { ownMs }) => sum + ownMs, 0);
}
