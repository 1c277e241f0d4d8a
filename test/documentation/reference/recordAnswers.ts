import { exampleCalls } from "./exampleCalls.ts";
import { openExampleWorld } from "./openExampleWorld.ts";
import { runExamples } from "./runExamples.ts";
import { runError, runPaths, sendRequest } from "./runPaths.ts";
import { sendBody } from "./senders.ts";

/** Runs all examples on a host. Returns the texts of the answers by page and heading. */
export async function recordAnswers(): Promise<ReadonlyMap<string, string>> {
  const world = await openExampleWorld();
  try {
    return new Map([
      ...(await runExamples(exampleCalls, world, sendBody)),
      ...(await runPaths(world, sendRequest)),
      ...(await runError(world)),
    ]);
  } finally {
    await world.close();
  }
}
