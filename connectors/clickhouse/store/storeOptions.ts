import type { ConnectorOptions } from "../../../plugins/protocol/index.ts";

/** Where a host keeps its rows. */
export interface StoreOptions extends Omit<ConnectorOptions, "reach"> {
  /** `http://user:password@server:8123`, without a path; with a cluster a server of each shard, with commas. */
  readonly url: string;
  /** The database of the tables; it is made when it does not exist. */
  readonly database: string;
  /** The cluster of the servers, by its name in their `remote_servers`. */
  readonly cluster?: string | undefined;
  /** `user:password` of questions; the user of `url` without it. */
  readonly reader?: string | undefined;
}
