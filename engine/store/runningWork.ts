/** Tracks the last piece of work on each table, so that later work on that table can wait for it. */
export class RunningWork {
  readonly #last = new Map<string, Promise<unknown>>();

  get isAny(): boolean {
    return this.#last.size > 0;
  }

  /**
   * Returns a promise that resolves when the last work on a table has ended, even if it failed. Returns undefined if
   * there is none.
   */
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

  /** Resolves when all work tracked so far has ended. */
  async end(): Promise<void> {
    await Promise.all(this.#last.values());
  }
}
