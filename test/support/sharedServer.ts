import type { ClickhouseServer } from "./clickhouseServer.ts";
import type { MariadbServer } from "./mariadbServer.ts";
import type { TestServer } from "./testServer.ts";

/** The servers that the processes of a run share, each started when a file first asks for it. */
export interface SharedServers {
  readonly postgres: TestServer;
  readonly mariadb: MariadbServer;
  readonly clickhouse: ClickhouseServer;
}

/** The runner sets these; they are absent in a file that is run without it. */
export const sharedServer: {
  /** Finds a server of the run, and notes that the file uses it: every use asks again. */
  find?: <Name extends keyof SharedServers>(name: Name) => Promise<SharedServers[Name]>;
  /** Notes that the file that runs uses a database of PostgreSQL: the time of its sessions counts for the file. */
  noteDatabase?: (database: string) => void;
} = {};
