import { startProcess, type BenchProcess } from "./startProcess.ts";

/** Starts a process of the bench, passes it to a function, and then stops it. */
export async function inProcess<Result>(
  run: (child: BenchProcess) => Promise<Result>,
): Promise<Result> {
  const child = startProcess();
  try {
    return await run(child);
  } finally {
    await child.end();
  }
}
