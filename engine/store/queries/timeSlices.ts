import { setImmediate } from "node:timers/promises";
import { EngineError } from "../../errors.ts";
import { noTenant } from "../../pool/noTenant.ts";
import type { QueryOptions } from "../../types.ts";

/** Milliseconds that work gets at a time, when its steps are short. */
const sliceMs = 2;

interface Waiting {
  readonly organization: string;
  readonly start: () => void;
}

/**
 * Runs long work of the main thread in time slices. Organizations take turns, whatever the number of their queries, and
 * the event loop has a turn between two slices.
 */
export class TimeSlices {
  #isTaken = false;
  #waiting: Waiting[] = [];
  /** The number of the last slice of each organization, while somebody has one. */
  readonly #lastSlices = new Map<string, number>();
  #sliceCount = 0;

  /** Does the first step at once, for work that mostly has one, and the others as `run` does. */
  async start<Result>(steps: Generator<undefined, Result>, options: QueryOptions): Promise<Result> {
    const { done, value } = steps.next();
    return done ? value : this.run(steps, options);
  }

  /**
   * Does work in slices and resolves to its result.
   * @throws {EngineError} QUERY_CANCELLED when the signal is aborted
   * @throws what a step throws
   */
  async run<Result>(
    steps: Generator<undefined, Result>,
    { signal, tenant = noTenant }: QueryOptions,
  ): Promise<Result> {
    for (;;) {
      await this.#take(tenant.organization);
      try {
        if (signal?.aborted) throw new EngineError("QUERY_CANCELLED");
        const startedAt = performance.now();
        do {
          const { done, value } = steps.next();
          if (done) return value;
        } while (performance.now() - startedAt < sliceMs);
      } finally {
        this.#leave();
      }
    }
  }

  /** Resolves, in a later turn of the event loop, when an organization has its slice. */
  async #take(organization: string): Promise<void> {
    if (this.#isTaken)
      await new Promise<void>((start) => this.#waiting.push({ organization, start }));
    else {
      this.#isTaken = true;
      await setImmediate();
    }
    this.#lastSlices.set(organization, ++this.#sliceCount);
  }

  #leave(): void {
    // Whoever goes on waits again before the next slice is given away.
    void setImmediate().then(() => {
      const last = ({ organization }: Waiting) => this.#lastSlices.get(organization) ?? 0;
      const least = Math.min(...this.#waiting.map(last));
      const index = this.#waiting.findIndex((each) => last(each) === least);
      const [next] = this.#waiting.splice(index, index < 0 ? 0 : 1);
      if (next) return next.start();
      this.#isTaken = false;
      this.#lastSlices.clear();
    });
  }
}
