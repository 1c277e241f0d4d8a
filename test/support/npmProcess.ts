import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** A command that npm runs in a separate process group, as in a terminal. */
export interface NpmProcess {
  /** Resolves to the first match in the output. If the process ends without a match, rejects with the whole output. */
  written(text: RegExp): Promise<RegExpExecArray>;
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
      // The process has ended in the meantime.
    }
  return found;
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    // The process has ended in the meantime.
    return "";
  }
}

/** Lists processes whose command line contains a text, such as the data folder of a host that should have ended. */
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
  const ended = once(child, "exit");
  const pid = child.pid ?? 0;
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      child.emit("written");
    });
  return {
    async written(text) {
      for (;;) {
        const found = text.exec(output);
        if (found) return found;
        const next = await Promise.race([once(child, "written"), ended.then(() => undefined)]);
        if (!next) throw new Error(`npm exited: ${output}`);
      }
    },
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
      await ended;
      // Each attempt reads a file for every process on the machine.
      while ([...processes().values()].some(({ group }) => group === pid)) await pause(100);
    },
  };
}
