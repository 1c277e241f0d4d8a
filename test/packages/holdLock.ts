import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const pauseMs = 50;

/**
 * Runs a task while this process holds a lock file. Only one process can hold the lock. If the process that holds the
 * lock has ended, this process takes the lock over.
 */
export async function holdLock(file: string, run: () => Promise<void>): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  while (!take(file)) {
    if (isAbandoned(file)) rmSync(file, { force: true });
    else await pause(pauseMs);
  }
  try {
    await run();
  } finally {
    rmSync(file, { force: true });
  }
}

function take(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw failure;
  }
}

function isAbandoned(file: string): boolean {
  try {
    const pid = Number(readFileSync(file, "utf8"));
    // The lock file is created before its content is written.
    if (pid > 0) process.kill(pid, 0);
    return false;
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code === "ESRCH";
  }
}
