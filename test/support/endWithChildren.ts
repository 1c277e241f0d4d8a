import { existsSync, readdirSync, readFileSync } from "node:fs";

/**
 * Exits this process with the given status. On Linux, it first kills all child processes, because they would otherwise
 * continue to run.
 */
export function endWithChildren(status: number): never {
  for (const child of children())
    try {
      process.kill(child, "SIGTERM");
    } catch {
      // The process has already ended.
    }
  process.exit(status);
}

function children(): number[] {
  const tasks = "/proc/self/task";
  if (!existsSync(tasks)) return [];
  // See proc_pid_task_children(5). Some kernels are built without this file.
  const lists = readdirSync(tasks).map((task) => `${tasks}/${task}/children`);
  return (
    lists
      .filter((list) => existsSync(list))
      .flatMap((list) => readFileSync(list, "utf8").split(" ").map(Number))
      // A process id of 0 would send the signal to this process's own group.
      .filter((child) => child > 0)
  );
}
