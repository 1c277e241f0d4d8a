import { readProcesses } from "../run/readProcesses.ts";

/** Reads the processor time of a process and of its descendants that live or were waited for, in milliseconds. */
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
