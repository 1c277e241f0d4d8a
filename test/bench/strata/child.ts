import { createJobs, type Jobs } from "./jobs.ts";

/** A process of the bench: does the jobs that its parent sends, one after the other. */
const jobs = createJobs();

process.on(
  "message",
  async ({ name, input }: { readonly name: keyof Jobs; readonly input: never }) => {
    try {
      process.send?.({ result: await jobs[name](input) });
    } catch (error) {
      process.send?.({ failure: error instanceof Error ? error.message : String(error) });
    }
  },
);
