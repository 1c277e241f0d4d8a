/** Runs the jobs that the parent process sends, one after another. */
export function serveJobs(jobs: Readonly<Record<string, (input: never) => unknown>>): void {
  const answer = async ({ name, input }: { readonly name: string; readonly input: never }) => {
    try {
      const job = jobs[name];
      if (!job) throw new Error(`there is no job ${name}`);
      process.send?.({ result: await job(input) });
    } catch (error) {
      process.send?.({ failure: error instanceof Error ? error.message : String(error) });
    }
  };
  // This promise never rejects, because failures of a job are sent to the parent.
  process.on("message", (message: Parameters<typeof answer>[0]) => void answer(message));
}
