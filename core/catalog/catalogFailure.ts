import knexOf, { type Knex } from "knex";
import { codeOf } from "../errors.ts";

/** The error that callers see when a statement fails for no fault of theirs. */
export type CatalogFailure = "unavailable" | "full";

/** Errors of the catalog's connections and statements; others may look the same. */
const noted = new WeakSet<object>();

/**
 * SQLSTATE: connections, authorization, no such database, resources, an operator's intervention, errors of the system.
 * 08P01 is a statement that breaks the protocol, and 57014 one that was cancelled.
 */
const unavailable = /^(08(?!P01)|28|3D|53|57P|58)/;
const diskFull = "53100";

/** Returns the failure of a catalog whose database is away or full; undefined for any other failure. */
export function catalogFailureOf(failure: unknown): CatalogFailure | undefined {
  if (!(failure instanceof Error)) return undefined;
  if (!noted.has(failure)) return catalogFailureOf(failure.cause);
  const code = codeOf(failure);
  // EPIPE has the form of a SQLSTATE, and is none.
  const isOfServer =
    typeof code === "string" && "severity" in failure && failure.severity !== undefined;
  // Without a code of the server it is the connection: refused, reset, ended, or none free in time.
  if (!isOfServer) return failure instanceof TypeError ? undefined : "unavailable";
  if (code === diskFull) return "full";
  return unavailable.test(code) ? "unavailable" : undefined;
}

interface PostgresClient extends Knex.Client {
  _query(connection: unknown, query: unknown): Promise<unknown>;
}

/** Creates the client class of a pool, whose failures `catalogFailureOf` knows. */
export function notingClient(): typeof Knex.Client {
  // Knex names its dialects and exports none of their classes.
  const { constructor } = knexOf({ client: "pg" }).client as { constructor: unknown };
  const Postgres = constructor as new (config: Knex.Config) => PostgresClient;
  const note = (failure: unknown): never => {
    if (failure instanceof Error) noted.add(failure);
    throw failure;
  };
  class NotingClient extends Postgres {
    override async acquireConnection(): Promise<unknown> {
      return super.acquireConnection().catch(note);
    }
    override async _query(connection: unknown, query: unknown): Promise<unknown> {
      return super._query(connection, query).catch(note);
    }
  }
  return NotingClient as unknown as typeof Knex.Client;
}
