import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { promisify } from "node:util";

/** A process as it appears in the process table. */
interface Started {
  readonly pid: number;
  readonly parentPid: number;
  readonly words: readonly string[];
}

/** The processes that started this process and must keep running while it runs: the launcher, npm and npm's shell. */
export interface Starter {
  /**
   * Returns whether one of these processes has ended since `findStarter` found them.
   * @throws {Error} if the processes cannot be read at the moment
   */
  isGone(): Promise<boolean>;
}

const run = promisify(execFile);
const npm = /(^|[\s/])(npm|npx|pnpm|yarn)(-cli)?(\.[cm]?js)?(\s|$)/;
const shells = ["sh", "dash", "ash", "bash", "zsh", "ksh", "busybox"];

/**
 * Finds the npm command that started this process, and the launcher that runs the command with another Node.js;
 * undefined if neither npm nor the launcher started it. A signal to npm or to its shell does not always reach the
 * program that npm runs: npm and the shell end, and the program keeps running.
 */
export async function findStarter(): Promise<Starter | undefined> {
  const isByNpm = process.env["npm_lifecycle_event"] !== undefined;
  const isLaunched = process.env["MANIFOLD_LAUNCHER"] === String(process.ppid);
  if (!isByNpm && !isLaunched) return undefined;
  const parent = await read(process.ppid);
  if (!parent) return undefined;
  const launcher = isLaunched ? parent : undefined;
  const first = launcher ? await read(launcher.parentPid) : parent;
  const shell = first && isShell(first) ? first : undefined;
  const last = shell ? await read(shell.parentPid) : first;
  const command = isByNpm && last && isNpm(last) ? last : undefined;
  /** The processes in order, from npm to the parent of this process. */
  const chain = command ? [command, shell, launcher] : [launcher];
  const found = chain.filter((each) => each !== undefined);
  if (found.length === 0) return undefined;
  const links = found.slice(1).map(({ pid }, index) => ({ pid, parentPid: found[index]!.pid }));
  return {
    async isGone() {
      if (process.ppid !== parent.pid) return true;
      for (const { pid, parentPid } of links)
        if ((await read(pid))?.parentPid !== parentPid) return true;
      return false;
    },
  };
}

const isNpm = ({ words }: Started): boolean => npm.test(words.join(" "));

const isShell = ({ words }: Started): boolean =>
  shells.includes(basename(words[0] ?? "").replace(/^-/, ""));

/**
 * Reads the parent and the command line of a process; undefined if there is no such process. A zombie counts as a
 * process.
 */
async function read(pid: number): Promise<Started | undefined> {
  try {
    if (process.platform !== "linux") return await readByCommand(pid);
    const [stat, command] = await Promise.all([
      readFile(`/proc/${pid}/stat`, "utf8"),
      readFile(`/proc/${pid}/cmdline`, "utf8"),
    ]);
    // The second field is the name in parentheses. The name may contain any characters (proc(5)).
    const [, parentPid] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { pid, parentPid: Number(parentPid), words: command.split("\0") };
  } catch (failure) {
    // `ps` exits with 1 if it finds no process.
    const code = failure instanceof Error && "code" in failure ? failure.code : undefined;
    if (code === "ENOENT" || code === "ESRCH" || code === 1) return undefined;
    throw failure;
  }
}

async function readByCommand(pid: number): Promise<Started> {
  const { stdout } = await run("ps", ["-o", "ppid=,args=", "-p", String(pid)]);
  const [parentPid, ...words] = stdout.trim().split(/\s+/);
  return { pid, parentPid: Number(parentPid), words };
}
