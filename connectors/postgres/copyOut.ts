import type { Connection, Submittable } from "pg";
import type { Batch, DataType } from "../../plugins/protocol/index.ts";
import { BinaryRows } from "./binaryRows.ts";

/** Milliseconds after which the rows of a slow select are passed on, however few they are. */
const mostHeldMs = 1000;

/**
 * A query of the driver that copies the rows of a select without parameters as columns. It creates no object per cell.
 * Creating one string per cell, as `Portal` does, would cost more than all other work on a row. While a batch waits for
 * the caller, the connection is not read. The messages are described in PostgreSQL's documentation, Message Flow, COPY
 * Operations.
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

  /** `sizeBytes` is the minimum size of a batch, unless the rows arrive slowly or the batch is the last one. */
  constructor(text: string, types: readonly DataType[], sizeBytes: number) {
    this.#text = text;
    this.#rows = new BinaryRows(types);
    this.#sizeBytes = sizeBytes;
  }

  /** Resolves when the connection can run another statement. */
  get ended(): Promise<void> {
    return this.#ready.promise;
  }

  /** Resolves to the next batch, or to undefined after the last one. */
  async next(): Promise<Batch | undefined> {
    for (;;) {
      const batch = this.#waiting.shift();
      if (batch) return batch;
      if (this.#failure) throw this.#failure;
      if (this.#isDone) return undefined;
      this.#connection?.stream.resume();
      const timer = setTimeout(() => this.#give(), mostHeldMs);
      await new Promise<void>((resolve) => (this.#wake = resolve));
      clearTimeout(timer);
    }
  }

  /** Discards the remaining rows. The caller must stop the statement on the server separately. */
  leave(): void {
    this.#waiting = [];
    this.#fail(new Error("the rows are no longer needed"));
  }

  submit(connection: Connection): void {
    this.#connection = connection;
    const text = `copy (${this.#text}) to stdout (format binary)`;
    // The extended protocol accepts only one command, so the server refuses a select that hides a second command.
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
    // The server has not ended the exchange yet.
    this.#connection?.stream.resume();
  }

  handleError(failure: Error): void {
    this.#fail(failure);
    // The driver drops its reference to a query that failed.
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
