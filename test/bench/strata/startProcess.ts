import { fork } from "node:child_process";
import { once } from "node:events";
import type { Jobs } from "./jobs.ts";

/** Functions that a process of a bench runs, by name. Inputs and results are plain data. */
type AnyJobs = Readonly<Record<string, (input: never) => unknown>>;

/** A process of the bench, as its parent process sees it. */
export interface BenchProcess<Own extends AnyJobs = Jobs> {
  readonly pid: number;
  run<Name extends keyof Own>(
    name: Name,
    ...input: Parameters<Own[Name]>
  ): Promise<Awaited<ReturnType<Own[Name]>>>;
  end(): Promise<void>;
}

/**
 * Starts a process with UTC as its time zone and enough libuv threads for all callers of a system. `file` is the code
 * of the process, which serves `Own`.
 */
export function startProcess<Own extends AnyJobs = Jobs>(
  file = new URL("./child.ts", import.meta.url),
): BenchProcess<Own> {
  const child = fork(file, {
    execArgv: ["--conditions=manifold-source"],
    serialization: "advanced",
    env: { ...process.env, TZ: "UTC", POLARS_MAX_THREADS: "2", UV_THREADPOOL_SIZE: "32" },
  });
  let hasEnded = false;
  const ended = once(child, "exit").then(([status, signal]) => {
    hasEnded = true;
    return { failure: `the process exited (${String(status ?? signal)})` };
  });
  return {
    pid: child.pid ?? 0,
    async run(name, input?: unknown) {
      if (hasEnded) throw new Error("the process has exited");
      const answered = once(child, "message").then(
        ([message]) => message as { result?: never; failure?: string },
      );
      child.send({ name, input });
      const answer = await Promise.race([answered, ended]);
      if (answer.failure !== undefined) throw new Error(answer.failure);
      return (answer as { result: never }).result;
    },
    async end() {
      if (!hasEnded) child.kill();
      await ended;
    },
  };
}
