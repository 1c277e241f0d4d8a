import { randomUUID } from "node:crypto";
import { link, readFile, readlink, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { EngineError } from "../errors.ts";

/** Who holds a folder. `realm` tells whether process ids can be compared: the host, its boot and its process namespace. */
interface Holder {
  readonly token: string;
  readonly pid: number;
  readonly startTime: string;
  readonly realm: string;
}

const heartbeatMs = 2000;
/** Age of a heartbeat after which a holder that cannot be looked up counts as gone. */
const staleMs = 10_000;

/** Holds a folder for one store. */
export class FolderLock {
  readonly #path: string;
  readonly #token: string;
  readonly #timer: NodeJS.Timeout;
  #isLost = false;

  private constructor(path: string, token: string) {
    this.#path = path;
    this.#token = token;
    this.#timer = setInterval(() => void this.#beat(), heartbeatMs).unref();
  }

  /** Another store took the folder, because this process stood still for too long. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** @throws {EngineError} STORE_LOCKED when another store holds the folder */
  static async take(dir: string): Promise<FolderLock> {
    const path = join(dir, "lock");
    const holder: Holder = {
      token: randomUUID(),
      pid: process.pid,
      startTime: (await startTimeOf(process.pid)) ?? "",
      realm: await readRealm(),
    };
    const mine = `${path}.${holder.token}`;
    await writeFile(mine, JSON.stringify(holder), { flag: "wx" });
    try {
      for (let attempt = 0; attempt < 5; attempt++) {
        try {
          await link(mine, path);
          return new FolderLock(path, holder.token);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
        }
        await removeStale(dir, path, holder);
      }
      throw new EngineError("STORE_LOCKED", [dir, "others open it at the same moment"]);
    } finally {
      await rm(mine, { force: true });
    }
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    const present = await readHolder(this.#path);
    if (present?.token === this.#token) await rm(this.#path, { force: true });
  }

  /** A heartbeat that fails for another reason than a lost lock is tried again at the next one. */
  async #beat(): Promise<void> {
    const present = await readHolder(this.#path);
    if (present && present.token !== this.#token) this.#isLost = true;
    else
      await utimes(this.#path, new Date(), new Date()).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") this.#isLost = true;
      });
  }
}

/** Removes the lock of a holder that is gone. It is renamed first, which only one of several openers can do, and put back when it is not the one that was looked at. */
async function removeStale(dir: string, path: string, me: Holder): Promise<void> {
  const present = await readHolder(path);
  const beatAt = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );
  if (beatAt === undefined) return;
  const isComparable = present !== undefined && present.realm === me.realm;
  const isAlive = isComparable
    ? (await startTimeOf(present.pid)) === present.startTime
    : Date.now() - beatAt < staleMs;
  if (isAlive)
    throw new EngineError("STORE_LOCKED", [dir, present ? `pid ${present.pid}` : "unknown"]);
  const aside = `${path}.${me.token}.stale`;
  try {
    await rename(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  if ((await readHolder(aside))?.token !== present?.token)
    await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    const holder = JSON.parse(await readFile(path, "utf8")) as Partial<Holder> | null;
    return typeof holder?.token === "string" && typeof holder.pid === "number"
      ? (holder as Holder)
      : undefined;
  } catch {
    return undefined;
  }
}

/** The moment at which a process started, so that a reused id is told apart; undefined when it does not run. */
async function startTimeOf(pid: number): Promise<string | undefined> {
  try {
    const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).replace(/^.*\) /s, "").split(" ");
    return fields[0] === "Z" ? undefined : fields[19];
  } catch {
    if (process.platform === "linux") return undefined;
  }
  try {
    process.kill(pid, 0);
    return "";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM" ? "" : undefined;
  }
}

async function readRealm(): Promise<string> {
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
  const namespace = await readlink("/proc/self/ns/pid").catch(() => "");
  return [hostname(), boot.trim(), namespace].join(" ");
}
