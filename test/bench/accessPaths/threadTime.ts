import { readdirSync, readFileSync } from "node:fs";

const tasks = "/proc/self/task";

/** Returns the processor time of this process's worker threads in milliseconds. Linux only. */
export function threadTime(): number {
  let sumNs = 0;
  for (const thread of readdirSync(tasks)) {
    const read = (file: string) => readFileSync(`${tasks}/${thread}/${file}`, "utf8");
    if (read("comm").trim() === "WorkerThread") sumNs += Number(read("schedstat").split(" ")[0]);
  }
  return sumNs / 1e6;
}
