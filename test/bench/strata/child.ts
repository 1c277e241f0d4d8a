import { createJobs, type Jobs } from "./jobs.ts";

/** A process of the bench: does the jobs that its parent sends, one after the other. */
const jobs = createJobs();

const answer = async ({ name, input }: { name: keyof Jobs; input: never }) => {
  try {
    process.send?.({ result: await jobs[name](input) });
  } catch (error) {
    process.send?.({ failure: error instanceof Error ? error.message : String(error) });
  }
};

// Its failures are sent.
process.on("message", (asked: Parameters<typeof answer>[0]) => void answer(asked));
