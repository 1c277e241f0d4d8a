import { readFile, rm, writeFile } from "node:fs/promises";
import { pid } from "node:process";

/** Holds a data folder for this process. */
export interface HostLock {
  release(): Promise<void>;
}

/** Tells a process from a later one with the same id and from its zombie; empty where the system does not say. */
async function startOf(processId: number): Promise<string> {
  const status = await readFile(`/proc/${processId}/stat`, "utf8").catch(() => "");
  const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" ? "ended" : (fields[19] ?? "");
}

/** Tells whether a process exists, also one of another user. */
export function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Takes the lock in `file`; one that a dead process left is taken over.
 * @throws {Error} that names the process which holds it
 */
export async function takeHostLock(file: string): Promise<HostLock> {
  const mine = `${pid} ${await startOf(pid)}`;
  for (;;) {
    try {
      await writeFile(file, mine, { flag: "wx", mode: 0o600 });
      return { release: () => rm(file, { force: true }) };
    } catch (failure) {
      if ((failure as NodeJS.ErrnoException).code !== "EEXIST") throw failure;
    }
    const [holder, start = ""] = (await readFile(file, "utf8").catch(() => "")).split(" ");
    const holderId = Number(holder);
    if (holderId > 0 && isAlive(holderId) && (await startOf(holderId)) === start)
      throw new Error(
        `the data folder is in use by process ${holderId} (${file}); stop it, or give this host a data folder of its own`,
      );
    await rm(file, { force: true });
  }
}
