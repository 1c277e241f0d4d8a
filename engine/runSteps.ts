/** Runs all steps without yielding and returns their result. Use it for work that needs no time slices. */
export function runSteps<Result>(steps: Generator<unknown, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
