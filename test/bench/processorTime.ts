import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds of one tick of the times in /proc: 100 a second on every Linux that Node supports. */
const tickMs = 10;

interface Times {
  readonly parentPid: number;
  readonly usedMs: number;
}

/** Reads the processor time of a process and of its descendants that live or were waited for, in milliseconds. */
export function processorTime(pid: number): number {
  const all = new Map<number, Times>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const times = read(Number(name));
    if (times) all.set(Number(name), times);
  }
  const sumFrom = (root: number): number =>
    [...all].reduce(
      (sum, [child, { parentPid }]) => (parentPid === root ? sum + sumFrom(child) : sum),
      all.get(root)?.usedMs ?? 0,
    );
  return sumFrom(pid);
}

function read(pid: number): Times | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in parentheses may hold anything (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0);
    return { parentPid: Number(fields[1]), usedMs: ticks * tickMs };
  } catch {
    // It ended meanwhile.
    return undefined;
  }
}
