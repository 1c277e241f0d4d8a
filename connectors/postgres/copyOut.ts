import type { Connection, Submittable } from "pg";
import type { Batch, DataType } from "../../plugins/protocol/index.ts";
import { BinaryRows } from "./binaryRows.ts";

/**
 * Copies the rows of one select without values as columns, as a query of the driver. No cell becomes an object: the
 * texts of `Portal` cost more than everything else of a row. The connection is read no further while a batch waits.
 * Source of the messages: PostgreSQL's documentation, Message Flow, COPY Operations.
 */
export class CopyOut implements Submittable {
  readonly #text: string;
  readonly #rows: BinaryRows;
  readonly #sizeBytes: number;
  #connection: Connection | undefined;
  #waiting: Batch[] = [];
  #failure: Error | undefined;
  #isDone = false;
  #wake: (() => void) | undefined;
  readonly #ready = Promise.withResolvers<void>();

  /** A batch has at least `sizeBytes`, but for the last one. */
  constructor(text: string, types: readonly DataType[], sizeBytes: number) {
    this.#text = text;
    this.#rows = new BinaryRows(types);
    this.#sizeBytes = sizeBytes;
  }

  /** Resolves when the connection can take another statement. */
  get ended(): Promise<void> {
    return this.#ready.promise;
  }

  /** Resolves to the next batch; undefined after the last one. */
  async next(): Promise<Batch | undefined> {
    for (;;) {
      const batch = this.#waiting.shift();
      if (batch) return batch;
      if (this.#failure) throw this.#failure;
      if (this.#isDone) return undefined;
      this.#connection?.stream.resume();
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** Leaves what is on its way; the statement ends at the server by another command. */
  leave(): void {
    this.#waiting = [];
    this.#fail(new Error("the rows are not wanted any more"));
  }

  submit(connection: Connection): void {
    this.#connection = connection;
    const text = `copy (${this.#text}) to stdout (format binary)`;
    // The extended protocol takes one command: a select that hides a second one is refused.
    connection.stream.cork();
    connection.parse({ name: "", text, types: [] }, true);
    connection.bind({ values: [] }, true);
    connection.execute({}, true);
    connection.sync();
    connection.stream.uncork();
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    if (this.#failure) return;
    try {
      this.#rows.read(chunk);
    } catch (failure) {
      this.#fail(failure instanceof Error ? failure : new Error(String(failure)));
      return;
    }
    if (this.#rows.sizeBytes < this.#sizeBytes) return;
    this.#connection?.stream.pause();
    this.#give();
  }

  handleCommandComplete(): void {
    if (this.#failure) return;
    this.#isDone = true;
    this.#give();
    // The end of the exchange is still on its way.
    this.#connection?.stream.resume();
  }

  handleError(failure: Error): void {
    this.#fail(failure);
    // The driver forgets a query that failed.
    this.#ready.resolve();
  }

  handleReadyForQuery(): void {
    this.#ready.resolve();
  }

  handleEmptyQuery(): void {}
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handlePortalSuspended(): void {}

  #give(): void {
    if (this.#rows.rowCount > 0) this.#waiting.push(this.#rows.take());
    this.#wake?.();
  }

  #fail(failure: Error): void {
    this.#failure ??= failure;
    this.#connection?.stream.resume();
    this.#wake?.();
  }
}
