import { openStore } from "../../connectors/clickhouse/index.ts";
import type { Plugin } from "../../plugins/protocol/index.ts";
import { openClickhouseDatabase, type ClickhouseDatabase } from "./clickhouseDatabase.ts";
import type { ClickhouseServer, ClickhouseUser } from "./clickhouseServer.ts";

/** A store in a separate database on a real ClickHouse server. */
export interface ClickhouseStore {
  readonly plugin: Plugin;
  readonly database: ClickhouseDatabase;
  /** Host settings that select this store. */
  readonly settings: {
    readonly store: "clickhouse";
    readonly clickhouseUrl: string;
    readonly clickhouseDatabase: string;
  };
  /** Closes the plugin and drops the database. */
  close(): Promise<void>;
}

/** Returns a server's URL with the credentials of a user. */
export function clickhouseUrl(
  { host, port }: Pick<ClickhouseServer, "host" | "port">,
  { name, password }: ClickhouseUser,
): string {
  return `http://${encodeURIComponent(name)}:${encodeURIComponent(password)}@${host}:${port}`;
}

/** Opens a store in a separate database. By default, it uses the run's server. */
export async function openClickhouseStore(on?: ClickhouseServer): Promise<ClickhouseStore> {
  const database = await openClickhouseDatabase(on);
  const url = clickhouseUrl(database, database.admin);
  try {
    const plugin = await openStore({
      url,
      database: database.database,
      timeoutMs: 60_000,
      sizeBytes: 2 ** 28,
    });
    return {
      plugin,
      database,
      settings: {
        store: "clickhouse",
        clickhouseUrl: url,
        clickhouseDatabase: database.database,
      },
      async close() {
        await plugin.close?.();
        await database.close();
      },
    };
  } catch (failure) {
    await database.close();
    throw failure;
  }
}
