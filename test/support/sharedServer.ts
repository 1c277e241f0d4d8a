import type { ClickhouseServer } from "./clickhouseServer.ts";
import type { MariadbServer } from "./mariadbServer.ts";
import type { TestServer } from "./testServer.ts";

/** The servers that the processes of a run share. A server starts when a file first requests it. */
export interface SharedServers {
  readonly postgres: TestServer;
  readonly mariadb: MariadbServer;
  readonly clickhouse: ClickhouseServer;
}

/** Functions of the runner. They are absent when a file runs without the runner. */
export const sharedServer: {
  /** Finds a server of the run, and records that the file uses the server. Call it for every use. */
  find?: <Name extends keyof SharedServers>(name: Name) => Promise<SharedServers[Name]>;
  /**
   * Records that the running file uses a PostgreSQL database, so that the time of its sessions is charged to the file.
   */
  noteDatabase?: (database: string) => void;
} = {};
