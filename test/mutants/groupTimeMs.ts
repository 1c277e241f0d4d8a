import { readdirSync, readFileSync } from "node:fs";
import { platform } from "node:process";

/** Linux shows times of processes in hundredths of a second to every program (USER_HZ). */
const tickMs = 10;

/** Returns the processor time of the processes of a group that run now, in milliseconds; 0 where none can be read. */
export function groupTimeMs(group: number): number {
  if (platform !== "linux") return 0;
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => processTimeMs(name, group))
    .reduce((sum, each) => sum + each, 0);
}

function processTimeMs(id: string, group: number): number {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, "utf8");
    // proc_pid_stat(5): the fields after the command, which ends with the last parenthesis, begin with the third.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(fields[2]) === group ? (Number(fields[11]) + Number(fields[12])) * tickMs : 0;
  } catch {
    // It has ended meanwhile.
    return 0;
  }
}
