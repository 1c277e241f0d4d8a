import { readdirSync, readFileSync } from "node:fs";

/**
 * Returns the processor time that the running threads of a process have used, in milliseconds; see
 * Documentation/scheduler/sched-stats of Linux. More precise than `processorTime`, but without child processes.
 */
export function threadTime(pid: number): number {
  let ns = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`))
    try {
      ns += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
    } catch (failure) {
      // The thread ended after its folder was listed.
      if (!(failure instanceof Error && "code" in failure)) throw failure;
    }
  return ns / 1e6;
}
