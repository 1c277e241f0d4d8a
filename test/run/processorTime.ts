import { readFileSync } from "node:fs";
import { platform } from "node:process";

/** Linux shows times of processes in hundredths of a second to every program (USER_HZ). */
export const tickMs = 10;

/**
 * Returns the processor time that this process and its threads have used, in milliseconds. On Linux it includes child
 * processes that have ended.
 */
export function processorTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000 + childrenMs();
}

function childrenMs(): number {
  if (platform !== "linux") return 0;
  const stat = readFileSync("/proc/self/stat", "utf8");
  // proc_pid_stat(5): the fields after the command, which ends with the last parenthesis, begin with the third.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user, system] = [fields[13], fields[14]];
  return (Number(user) + Number(system)) * tickMs;
}
