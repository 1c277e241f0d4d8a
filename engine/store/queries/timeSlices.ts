import { setImmediate } from "node:timers/promises";
import { EngineError } from "../../errors.ts";

/** Milliseconds that work gets at a time, when its steps are short. */
const sliceMs = 2;

/**
 * Runs long work of the main thread in time slices. Tenants take turns, and the event loop has a turn between two
 * slices.
 */
export class TimeSlices {
  #last: Promise<void> = Promise.resolve();

  /** Does the first step at once, for work that mostly has one, and the others as `run` does. */
  async start<Result>(
    steps: Generator<undefined, Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    const { done, value } = steps.next();
    return done ? value : this.run(steps, signal);
  }

  /**
   * Does work in slices and resolves to its result.
   * @throws {EngineError} QUERY_CANCELLED when `signal` is aborted
   * @throws what a step throws
   */
  async run<Result>(
    steps: Generator<undefined, Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    for (;;) {
      const turn = this.#last.then(() => setImmediate());
      this.#last = turn;
      await turn;
      if (signal?.aborted) throw new EngineError("QUERY_CANCELLED");
      const startedAt = performance.now();
      do {
        const { done, value } = steps.next();
        if (done) return value;
      } while (performance.now() - startedAt < sliceMs);
    }
  }
}
