import type { Knex } from "knex";
import type { ConstructorOptions } from "pg-boss";

/** A connection of node-postgres. */
interface PooledConnection {
  query(text: string, values?: unknown[]): Promise<Answered | Answered[]>;
}

interface Answered {
  readonly rows: unknown[];
}

/**
 * Runs the statements of pg-boss on pooled connections. The scripts of pg-boss open their own transactions, so after a
 * failure the connection is rolled back before it is used again.
 */
export function databaseOf(knex: Knex): NonNullable<ConstructorOptions["db"]> {
  const { client } = knex;
  return {
    async executeSql(text, values) {
      const connection: PooledConnection = await client.acquireConnection();
      try {
        const answered = await connection.query(text, values);
        return { rows: [answered].flat().flatMap(({ rows }) => rows) };
      } catch (failure) {
        await connection.query("rollback");
        throw failure;
      } finally {
        client.releaseConnection(connection);
      }
    },
  };
}
