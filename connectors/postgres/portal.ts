import type { Connection, Submittable } from "pg";
import type { Statement } from "../../plugins/sql/index.ts";
import { receivedOf, tooLarge, type Received } from "./guardMessages.ts";

/** A row. Its cells are strings, as the server sends them. */
export type PortalRow = readonly (string | null)[];

/** Rows that arrived together, as an answer to one request. */
export interface PortalBlock {
  readonly rows: readonly PortalRow[];
  /** Whether the server has no more rows after this block. */
  readonly isLast: boolean;
}

const portal = "manifold";
/** Maximum bytes of a block, which must arrive completely before its rows are read. */
const mostBlockBytes = 256 * 2 ** 20;

/**
 * A query of the driver that reads the rows of a statement in blocks. The first block is requested together with the
 * statement, so a short answer takes one round trip. The rows are the arrays of strings that the driver itself creates.
 * pg-cursor takes three round trips and copies each row. The messages are described in PostgreSQL's documentation,
 * Message Flow, Extended Query.
 */
export class Portal implements Submittable {
  readonly #statement: Statement;
  readonly #firstCount: number;
  #connection: Connection | undefined;
  #received: Received = { sizeBytes: 0 };
  /** Bytes that the connection had received when the block was requested. */
  #receivedBefore = 0;
  #rows: PortalRow[] = [];
  #block = Promise.withResolvers<PortalBlock>();
  readonly #ready = Promise.withResolvers<void>();
  #isSynced = false;

  /** `firstCount` is the number of rows in the first block. */
  constructor(statement: Statement, firstCount: number) {
    this.#statement = statement;
    this.#firstCount = firstCount;
    this.#block.promise.catch(() => undefined);
  }

  /** The block that was requested most recently. */
  get block(): Promise<PortalBlock> {
    return this.#block.promise;
  }

  /** Requests the next block. The previous block must have arrived and must not be the last. */
  request(rowCount: number): void {
    this.#block = Promise.withResolvers<PortalBlock>();
    this.#block.promise.catch(() => undefined);
    this.#execute(rowCount);
    this.#connection?.flush();
  }

  /** Ends the statement and discards the remaining rows. Resolves when the connection can run another statement. */
  async close(): Promise<void> {
    this.#sync();
    await this.#ready.promise;
  }

  submit(connection: Connection): void {
    this.#connection = connection;
    this.#received = receivedOf(connection);
    const { text, values } = this.#statement;
    // All messages are sent in one packet.
    connection.stream.cork();
    connection.parse({ name: "", text, types: [] }, true);
    connection.bind({ portal, values: values.map(parameterText) }, true);
    this.#execute(this.#firstCount);
    connection.flush();
    connection.stream.uncork();
  }

  handleDataRow({ fields }: { readonly fields: PortalRow }): void {
    this.#rows.push(fields);
    if (this.#received.sizeBytes - this.#receivedBefore <= mostBlockBytes) return;
    this.#rows = [];
    this.#connection?.stream.destroy(tooLarge("a block of rows", mostBlockBytes));
  }

  handlePortalSuspended(): void {
    this.#end(false);
  }

  handleCommandComplete(): void {
    this.#sync();
    this.#end(true);
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete();
  }

  handleError(failure: Error): void {
    this.#sync();
    this.#block.reject(failure);
    // The driver drops its reference to a query that failed.
    this.#ready.resolve();
  }

  handleReadyForQuery(): void {
    this.#ready.resolve();
  }

  /** Does nothing: no description is requested, because the statement's columns are known. */
  handleRowDescription(): void {}

  #execute(rows: number): void {
    this.#receivedBefore = this.#received.sizeBytes;
    this.#connection?.execute({ portal, rows: String(rows) }, true);
  }

  /** Ends the exchange with a `Sync`. Sends it only once, because the server responds to each `Sync`. */
  #sync(): void {
    if (this.#isSynced) return;
    this.#isSynced = true;
    // Inside a transaction, the portal would otherwise stay open.
    this.#connection?.close({ type: "P", name: portal }, true);
    this.#connection?.sync();
  }

  #end(isLast: boolean): void {
    const rows = this.#rows;
    this.#rows = [];
    this.#block.resolve({ rows, isLast });
  }
}

/** Converts a value of the dialect to a parameter: a string, or an array in PostgreSQL's syntax. */
function parameterText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (!Array.isArray(value)) return String(value);
  const elements = value.map((element) =>
    typeof element === "string" ? `"${element.replace(/["\\]/g, "\\$&")}"` : String(element),
  );
  return `{${elements.join(",")}}`;
}
