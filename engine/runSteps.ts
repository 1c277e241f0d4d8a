/** Runs all steps at once and returns their result, for work that needs no time slices. */
export function runSteps<Result>(steps: Generator<unknown, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
