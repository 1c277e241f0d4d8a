import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { readOutput, type Output } from "./readOutput.ts";

/** A command that npm runs in a separate process group, as in a terminal. */
export interface NpmProcess extends Output {
  /** Sends a signal to npm, to the process that npm started, or to the whole group as Ctrl-C does. */
  kill(target: "npm" | "child" | "group", signal: NodeJS.Signals): void;
  /** Resolves when npm and all processes that it started have ended. */
  gone(): Promise<void>;
}

/** Returns Linux processes by id, with their parent and process group, without zombies. */
function processes(): Map<number, { parentPid: number; group: number }> {
  const found = new Map<number, { parentPid: number; group: number }>();
  for (const entry of readdirSync("/proc").filter((name) => /^\d+$/.test(name)))
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, "utf8");
      const [state, parentPid, group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (state !== "Z")
        found.set(Number(entry), { parentPid: Number(parentPid), group: Number(group) });
    } catch {
      // The process ended before its files were read.
    }
  return found;
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    // The process ended before its files were read.
    return "";
  }
}

/** Lists processes whose command line contains a string, such as the data folder of a host that should have ended. */
export function processesNaming(text: string): string[] {
  return [...processes().keys()].flatMap((pid) => {
    const command = commandOf(pid);
    return pid !== process.pid && command.includes(text) ? [`${pid} ${command}`] : [];
  });
}

/** Starts npm or npx with the given arguments. */
export function startNpm(
  file: "npm" | "npx",
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): NpmProcess {
  const child = spawn(file, args, {
    cwd: options.cwd,
    env: { ...process.env, NODE_OPTIONS: "", ...options.env },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = readOutput(child);
  const pid = child.pid ?? 0;
  return {
    ...output,
    kill(target, signal) {
      if (target === "npm") process.kill(pid, signal);
      else if (target === "group") process.kill(-pid, signal);
      else {
        const [started] = [...processes()].find(([, { parentPid }]) => parentPid === pid) ?? [];
        if (started === undefined) throw new Error("npm has not started a process");
        process.kill(started, signal);
      }
    },
    async gone() {
      await output.ended;
      // Each attempt reads a file for every process on the machine.
      while ([...processes().values()].some(({ group }) => group === pid)) await pause(100);
    },
  };
}
