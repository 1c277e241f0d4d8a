import { readdirSync, readFileSync } from "node:fs";

const tasks = "/proc/self/task";

/** Reads the processor time of the worker threads of this process, in milliseconds. Linux only. */
export function threadTime(): number {
  let sumNs = 0;
  for (const thread of readdirSync(tasks)) {
    const read = (file: string) => readFileSync(`${tasks}/${thread}/${file}`, "utf8");
    if (read("comm").trim() === "WorkerThread") sumNs += Number(read("schedstat").split(" ")[0]);
  }
  return sumNs / 1e6;
}
