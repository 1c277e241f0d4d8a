import type { ConnectorOptions } from "../../../plugins/protocol/index.ts";

/** Settings of a ClickHouse store. */
export interface StoreOptions extends Omit<ConnectorOptions, "reach"> {
  /**
   * URL of the server: `http://user:password@server:8123`, without a path. For a cluster, the URLs of one server of
   * each shard, separated by commas.
   */
  readonly url: string;
  /** Database for the tables, created if it is missing. */
  readonly database: string;
  /**
   * Name of the cluster in the servers' `remote_servers`.
   * @default a single server
   */
  readonly cluster?: string | undefined;
  /**
   * User for queries, as `user:password`.
   * @default the user of `url`
   */
  readonly reader?: string | undefined;
}
