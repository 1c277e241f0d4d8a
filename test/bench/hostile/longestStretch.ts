import { appendFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

/**
 * This module is loaded into a host before the host's own code. On SIGUSR2 it appends a line to the file STRETCH_FILE.
 * The line contains the longest block of the main thread since the previous signal, in milliseconds of processor time
 * between two reads of the clock. Waiting for a processor does not count, so the figure is valid even on a busy
 * machine.
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
