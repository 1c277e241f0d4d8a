import { appendFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

/**
 * Loaded into a host before its own code. On SIGUSR2 it appends the longest stretch of the main thread since the signal
 * before to the file STRETCH_FILE: milliseconds of its processor time between two looks at the clock. Waiting for a
 * processor does not count, so the figure holds on a busy machine.
 */
const file = process.env["STRETCH_FILE"];
const lookMs = 2;

if (isMainThread && file !== undefined && process.argv.includes("serve")) {
  const usedMs = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let lastMs = usedMs();
  let longestMs = 0;
  setInterval(() => {
    const nowMs = usedMs();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
  }, lookMs).unref();
  process.on("SIGUSR2", () => {
    appendFileSync(file, `${longestMs.toFixed(1)}\n`);
    longestMs = 0;
  });
}
