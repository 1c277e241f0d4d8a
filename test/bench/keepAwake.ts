import { spawn } from "node:child_process";
import { availableParallelism, platform } from "node:os";

/** Code of an endless loop that stops when its parent process ends. */
const source =
  "const parent = process.ppid; while (process.ppid === parent) for (let turn = 0; turn < 1e6; turn++);";

/**
 * Keeps the processors from halting. Runs an endless loop on each processor, at a priority so low that all other work
 * goes first. When Linux places a thread that wakes up, it treats a halted virtual processor as unavailable
 * (`available_idle_cpu` in kernel/sched, with KVM's flag for a processor that was scheduled out). After a pause, two
 * threads would therefore share one processor until the next tick, 4 ms later, and the bench would measure that delay.
 * Returns undefined if `chrt` is not available.
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
