import { execFile } from "node:child_process";
import { readFile, readlink, rm } from "node:fs/promises";
import { join } from "node:path";
import { kill, platform } from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import type { Log } from "../log.ts";
import { isAlive } from "./isAlive.ts";

const run = promisify(execFile);

async function serves(processId: number, folder: string): Promise<boolean> {
  if (!isAlive(processId)) return false;
  if (platform === "linux") {
    const current = await readlink(`/proc/${processId}/cwd`).catch(() => "");
    return current === folder;
  }
  if (platform === "win32") return true;
  const { stdout } = await run("ps", ["-p", String(processId), "-o", "command="]).catch(() => ({
    stdout: "",
  }));
  return stdout.includes(folder);
}

/**
 * Stops the server that a killed host has left in `folder` (an absolute real path). Waits up to `graceMs`, because the
 * server may already be stopping, and then tells it to stop. The caller holds the lock of the data folder, so no
 * running host uses the server.
 */
export async function clearLeftover(folder: string, graceMs: number, log: Log): Promise<void> {
  const file = join(folder, "postmaster.pid");
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return;
  const processId = Number(text.split("\n")[0]);
  const isServing = () => serves(processId, folder);
  const gone = async (limitMs: number) => {
    for (const end = Date.now() + limitMs; await isServing(); await pause(25))
      if (Date.now() > end) return false;
    return true;
  };
  if (processId > 0 && !(await gone(graceMs))) {
    log.warn({ processId }, "stopping the PostgreSQL of an earlier host");
    kill(processId, "SIGINT");
    if (!(await gone(graceMs)) && (await isServing())) {
      kill(processId, "SIGQUIT");
      await gone(graceMs);
    }
  }
  await rm(file, { force: true });
}
