import { readdirSync, readFileSync } from "node:fs";

/** Linux shows times of processes in hundredths of a second to every program (USER_HZ). */
const tickMs = 10;

/** A process that runs. */
export interface LiveProcess {
  readonly pid: number;
  readonly parentPid: number;
  readonly groupId: number;
  /** Its own processor time, in milliseconds. */
  readonly ownMs: number;
  /** The processor time of its children that have ended. */
  readonly endedMs: number;
}

/** Lists the processes of this machine, on Linux. */
export function readProcesses(): LiveProcess[] {
  return readdirSync("/proc")
    .map(Number)
    .filter(Number.isInteger)
    .flatMap((pid) => readProcess(pid) ?? []);
}

/** Reads a process, on Linux; undefined when it has ended. */
export function readProcess(pid: number): LiveProcess | undefined {
  const stat = readOf(pid, "stat");
  // proc_pid_stat(5): the fields after the command, which ends with the last parenthesis, begin with the third.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (fields.length < 15) return undefined;
  const sum = (...places: readonly number[]) =>
    places.reduce((total, place) => total + Number(fields[place]) * tickMs, 0);
  return {
    pid,
    parentPid: Number(fields[1]),
    groupId: Number(fields[2]),
    ownMs: sum(11, 12),
    endedMs: sum(13, 14),
  };
}

/** Returns the command line of a process; PostgreSQL writes there what a process does. Empty when it has ended. */
export function commandOf(pid: number): string {
  return readOf(pid, "cmdline").replaceAll("\0", " ");
}

function readOf(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    // It has ended meanwhile.
    return "";
  }
}
