import { fork } from "node:child_process";
import { once } from "node:events";

/**
 * Starts processes that keep processors busy. Returns a function that stops these processes and waits until they have
 * ended.
 */
export function startBusyProcesses(count: number): () => Promise<void> {
  const children = Array.from({ length: count }, () =>
    fork(new URL("./busyProcess.ts", import.meta.url), [], { execArgv: [] }),
  );
  return async () => {
    for (const child of children) {
      const ended = once(child, "exit");
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill("SIGKILL");
      await ended;
    }
  };
}
