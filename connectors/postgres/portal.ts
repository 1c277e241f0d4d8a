import type { Connection, Submittable } from "pg";
import type { Statement } from "../../plugins/sql/index.ts";
import { receivedOf, tooLarge, type Received } from "./guardMessages.ts";

/** Cells are the texts that the server sent. */
export type PortalRow = readonly (string | null)[];

/** Rows that came together. */
export interface PortalBlock {
  readonly rows: readonly PortalRow[];
  /** The server has no more. */
  readonly isLast: boolean;
}

const portal = "manifold";
/** Bytes of a block: its rows are not read before all of them have come. */
const mostBlockBytes = 256 * 2 ** 20;

/**
 * Reads the rows of one statement in blocks, as a query of the driver. The first block is asked with the statement, so
 * a short answer is one round trip, and rows are the driver's own arrays of texts. pg-cursor takes three round trips
 * and copies each row. Source of the messages: PostgreSQL's documentation, Message Flow, Extended Query.
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

  /** `firstCount` rows make the first block. */
  constructor(statement: Statement, firstCount: number) {
    this.#statement = statement;
    this.#firstCount = firstCount;
    this.#block.promise.catch(() => undefined);
  }

  /** The block that was asked last. */
  get block(): Promise<PortalBlock> {
    return this.#block.promise;
  }

  /** Asks for the next block, once the one before has come and was not the last. */
  ask(rowCount: number): void {
    this.#block = Promise.withResolvers<PortalBlock>();
    this.#block.promise.catch(() => undefined);
    this.#execute(rowCount);
    this.#connection?.flush();
  }

  /** Ends the statement; resolves when the connection can take another. Rows on their way are left. */
  async close(): Promise<void> {
    this.#sync();
    await this.#ready.promise;
  }

  submit(connection: Connection): void {
    this.#connection = connection;
    this.#received = receivedOf(connection);
    const { text, values } = this.#statement;
    // One packet.
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
    // The driver forgets a query that failed.
    this.#ready.resolve();
  }

  handleReadyForQuery(): void {
    this.#ready.resolve();
  }

  /** Nobody asks for a description: the rows have the columns of the statement. */
  handleRowDescription(): void {}

  #execute(rows: number): void {
    this.#receivedBefore = this.#received.sizeBytes;
    this.#connection?.execute({ portal, rows: String(rows) }, true);
  }

  /** Ends the exchange, at most once: each `Sync` is answered. */
  #sync(): void {
    if (this.#isSynced) return;
    this.#isSynced = true;
    // Inside a transaction the portal would stay.
    this.#connection?.close({ type: "P", name: portal }, true);
    this.#connection?.sync();
  }

  #end(isLast: boolean): void {
    const rows = this.#rows;
    this.#rows = [];
    this.#block.resolve({ rows, isLast });
  }
}

/** Writes a value of the dialect as a parameter: a text, or PostgreSQL's form of an array. */
function parameterText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (!Array.isArray(value)) return String(value);
  const elements = value.map((element) =>
    typeof element === "string" ? `"${element.replace(/["\\]/g, "\\$&")}"` : String(element),
  );
  return `{${elements.join(",")}}`;
}
