import { existsSync, readdirSync, readFileSync } from "node:fs";

/**
 * Exits this process with a status. On Linux it first kills the processes that this one started, which would otherwise
 * outlive it.
 */
export function endWithChildren(status: number): never {
  for (const child of children())
    try {
      process.kill(child, "SIGTERM");
    } catch {
      // The process has ended in the meantime.
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
      // Number 0 would mean this process group.
      .filter((child) => child > 0)
  );
}
