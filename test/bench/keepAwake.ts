import { spawn } from "node:child_process";
import { availableParallelism, platform } from "node:os";

/** Loops while the parent that started it lives, so a killed parent ends it too. */
const source =
  "const parent = process.ppid; while (process.ppid === parent) for (let turn = 0; turn < 1e6; turn++);";

/**
 * Keeps the processors from halting: an endless loop for each, at the priority that runs only where nothing else would.
 * Linux takes a halted virtual processor as not available when it places a thread that is woken (`available_idle_cpu`
 * in kernel/sched, with KVM's flag for a processor that was scheduled out), so that after a pause two threads share one
 * processor until the next tick, 4 ms later. That would be timed instead of what the threads do. Undefined where `chrt`
 * is not to be had.
 */
export async function keepAwake(): Promise<(() => void) | undefined> {
  if (platform() !== "linux") return undefined;
  const loops = Array.from({ length: availableParallelism() }, () =>
    spawn("chrt", ["--idle", "0", process.execPath, "--eval", source], { stdio: "ignore" }),
  );
  const end = () => loops.forEach((loop) => loop.kill("SIGKILL"));
  const started = await Promise.allSettled(
    loops.map(
      (loop) =>
        new Promise<void>((resolve, reject) => {
          loop.once("spawn", resolve);
          loop.once("error", reject);
        }),
    ),
  );
  if (started.every(({ status }) => status === "fulfilled")) return end;
  end();
  return undefined;
}
