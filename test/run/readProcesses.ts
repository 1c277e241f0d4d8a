import { readdirSync, readFileSync } from "node:fs";

/**
 * Milliseconds per unit of the process times in /proc. Linux reports these times in hundredths of a second (USER_HZ).
 */
const tickMs = 10;

/** A running process. */
export interface LiveProcess {
  readonly pid: number;
  readonly parentPid: number;
  readonly groupId: number;
  /** Processor time of the process itself, in milliseconds. */
  readonly ownMs: number;
  /** Processor time of the process's ended child processes, in milliseconds. */
  readonly endedMs: number;
}

/** Lists all running processes on this machine. Linux only. */
export function readProcesses(): LiveProcess[] {
  return readdirSync("/proc")
    .map(Number)
    .filter(Number.isInteger)
    .flatMap((pid) => readProcess(pid) ?? []);
}

/** Reads a process; returns undefined if it has ended. Linux only. */
export function readProcess(pid: number): LiveProcess | undefined {
  const stat = readOf(pid, "stat");
  // See proc_pid_stat(5). The command (field 2) ends at the last parenthesis, after which field 3 begins.
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

/**
 * Returns the command line of a process, or an empty string if the process has ended. The command line of a
 * PostgreSQL process shows its current activity.
 */
export function commandOf(pid: number): string {
  return readOf(pid, "cmdline").replaceAll("\0", " ");
}

function readOf(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    // The process ended before its files were read.
    return "";
  }
}
