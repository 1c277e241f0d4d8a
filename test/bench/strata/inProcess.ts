import { startProcess, type BenchProcess } from "./startProcess.ts";

/** Does something in a fresh process of the bench and ends it. */
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
