import { readProcesses } from "../run/readProcesses.ts";

/**
 * Returns the processor time of a process in milliseconds. It includes descendants that are running, and descendants
 * that ended and were waited for.
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
