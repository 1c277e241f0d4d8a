import { fork } from "node:child_process";
import { once } from "node:events";
import type { Jobs } from "./jobs.ts";

/** A process of the bench, as its parent process sees it. */
export interface BenchProcess {
  run<Name extends keyof Jobs>(
    name: Name,
    ...input: Parameters<Jobs[Name]>
  ): Promise<Awaited<ReturnType<Jobs[Name]>>>;
  end(): Promise<void>;
}

/** Starts a process with UTC as its time zone and enough libuv threads for all callers of a system. */
export function startProcess(): BenchProcess {
  const child = fork(new URL("./child.ts", import.meta.url), {
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
