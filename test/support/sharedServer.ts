import type { ClickhouseServer } from "./clickhouseServer.ts";
import type { MariadbServer } from "./mariadbServer.ts";
import type { TestServer } from "./testServer.ts";

/** The servers that the processes of a run share, each started when a file first asks for it. */
export interface SharedServers {
  readonly postgres: TestServer;
  readonly mariadb: MariadbServer;
  readonly clickhouse: ClickhouseServer;
}

/** Finds a server of the run; nothing in a file that is run without the runner. */
export const sharedServer: {
  find?: <Name extends keyof SharedServers>(name: Name) => Promise<SharedServers[Name]>;
} = {};
