/** Tracks the last piece of work on each table, so that later work can wait for it. */
export class RunningWork {
  readonly #last = new Map<string, Promise<unknown>>();

  get isAny(): boolean {
    return this.#last.size > 0;
  }

  /** Resolves when the last work on a table has ended, even if it failed; undefined if there is none. */
  lastOf(name: string): Promise<unknown> | undefined {
    return this.#last.get(name);
  }

  /** Tracks work on a table until it has ended. */
  note(name: string, work: Promise<unknown>): void {
    const done = work
      .catch(() => undefined)
      .finally(() => {
        if (this.#last.get(name) === done) this.#last.delete(name);
      });
    this.#last.set(name, done);
  }

  /** Resolves when all work noted so far has ended. */
  async end(): Promise<void> {
    await Promise.all(this.#last.values());
  }
}
