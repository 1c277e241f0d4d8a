import { existsSync, readdirSync, readFileSync } from "node:fs";

/**
 * Ends this process with a status. On Linux it first ends the processes that this one started, which would outlive it.
 */
export function endWithChildren(status: number): never {
  for (const child of children())
    try {
      process.kill(child, "SIGTERM");
    } catch {
      // It has ended meanwhile.
    }
  process.exit(status);
}

function children(): number[] {
  const tasks = "/proc/self/task";
  if (!existsSync(tasks)) return [];
  // proc_pid_task_children(5); kernels may be built without it.
  const lists = readdirSync(tasks).map((task) => `${tasks}/${task}/children`);
  return (
    lists
      .filter((list) => existsSync(list))
      .flatMap((list) => readFileSync(list, "utf8").split(" ").map(Number))
      // Number 0 would be this process group.
      .filter((child) => child > 0)
  );
}
