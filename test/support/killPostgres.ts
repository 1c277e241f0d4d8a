import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Kills a PostgreSQL server and its child processes immediately, as the kernel does when memory runs out. */
export async function killPostgres(folder: string): Promise<void> {
  const file = await readFile(join(folder, "postmaster.pid"), "utf8");
  const pid = Number(file.split("\n")[0]);
  const { stdout } = await run("ps", ["-A", "-o", "pid=,ppid="]);
  const children = stdout.split("\n").flatMap((line) => {
    const [child, parent] = line.trim().split(/\s+/).map(Number);
    return parent === pid && child !== undefined ? [child] : [];
  });
  for (const each of [pid, ...children])
    try {
      process.kill(each, "SIGKILL");
    } catch {
      // The process has already ended.
    }
}
