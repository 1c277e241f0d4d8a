import knexOf, { type Knex } from "knex";
import { codeOf } from "../base/index.ts";
import type { Watch, WatchedConnection } from "./watchSilence.ts";

/** A failure of the database rather than of a statement: the database is unavailable, or its disk is full. */
export type CatalogFailure = "unavailable" | "full";

/** Errors that came from the catalog's connections and statements. Errors from elsewhere may look the same. */
const noted = new WeakSet<object>();

/**
 * SQLSTATEs for connections, authorization, a missing database, resources, operator intervention and system errors.
 * 25006 is a change on a standby. The exceptions are 08P01, a protocol violation by a statement, and 57014, a cancelled
 * statement.
 */
const unavailable = /^(08(?!P01)|25006|28|3D|53|57P|58)/;
const diskFull = "53100";
const readOnly = "25006";

/** Returns the failure of a catalog whose database is unavailable or full; undefined for any other failure. */
export function catalogFailureOf(failure: unknown): CatalogFailure | undefined {
  if (!(failure instanceof Error)) return undefined;
  if (!noted.has(failure)) return catalogFailureOf(failure.cause);
  const code = codeOf(failure);
  // EPIPE looks like a SQLSTATE but is not one.
  const isOfServer =
    typeof code === "string" && "severity" in failure && failure.severity !== undefined;
  // An error without a server's code means that the connection failed: it was refused, reset or closed, or none became
  // free in time.
  if (!isOfServer) return failure instanceof TypeError ? undefined : "unavailable";
  if (code === diskFull) return "full";
  return unavailable.test(code) ? "unavailable" : undefined;
}

interface PostgresConnection extends WatchedConnection {
  query(statement: object): Promise<unknown>;
  /** Knex does not use a connection again if this member is set. */
  __knex__disposed?: unknown;
}

interface PostgresClient extends Knex.Client {
  acquireRawConnection(): Promise<PostgresConnection>;
  _query(connection: PostgresConnection, query: unknown): Promise<unknown>;
}

export interface NotingOptions {
  readonly watch?: Watch;
  /** Prepares a new connection. If this function throws, the connection is not used. */
  readonly prepare?: (connection: Pick<PostgresConnection, "query">) => Promise<void>;
}

/** Creates the client class of a pool whose failures `catalogFailureOf` recognizes. */
export function notingClient({ watch, prepare }: NotingOptions = {}): typeof Knex.Client {
  // Knex names its dialects, but it does not export their classes.
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
    override async acquireRawConnection(): Promise<PostgresConnection> {
      const connection = await super.acquireRawConnection();
      try {
        await prepare?.(connection);
        return connection;
      } catch (failure) {
        connection.connection.stream.destroy();
        throw failure;
      }
    }
    override async _query(connection: PostgresConnection, query: unknown): Promise<unknown> {
      const end = watch?.(connection);
      try {
        return await super._query(connection, query);
      } catch (failure) {
        // The address may refer to the primary by now.
        if (codeOf(failure) === readOnly) connection.__knex__disposed = failure;
        return note(failure);
      } finally {
        end?.();
      }
    }
  }
  return NotingClient as unknown as typeof Knex.Client;
}
