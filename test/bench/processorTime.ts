import { readProcesses } from "../run/readProcesses.ts";

/**
 * Returns the processor time in milliseconds of a process and of its descendants that are running or have been waited
 * for.
 */
export function processorTime(pid: number): number {
  const all = readProcesses();
  const sumFrom = (root: number): number => {
    const own = all.find((each) => each.pid === root);
    const children = all.filter(({ parentPid }) => parentPid === root);
    const ownMs = own ? own.ownMs + own.endedMs : 0;
    return children.reduce((sum, child) => sum + sumFrom(child.pid), ownMs);
  };
  return sumFrom(pid);
}
