import { createJobs, type Jobs } from "./jobs.ts";

/** A process of the bench that runs the jobs that its parent sends, one after another. */
const jobs = createJobs();

const answer = async ({ name, input }: { name: keyof Jobs; input: never }) => {
  try {
    process.send?.({ result: await jobs[name](input) });
  } catch (error) {
    process.send?.({ failure: error instanceof Error ? error.message : String(error) });
  }
};

// The failures of a job are sent to the parent.
process.on("message", (message: Parameters<typeof answer>[0]) => void answer(message));
