import type { NetConnectOpts } from "node:net";
import type { Credentials, Plugin, PluginErrorCode, Reach } from "../../plugins/protocol/index.ts";
import type { TestCertificate } from "../support/certificate.ts";
import { openReach } from "../support/openReach.ts";

/** Names of servers that the connectors of this suite resolve to loopback. */
const faultHosts: readonly string[] = ["db.test", "other.test"];

/** Lets a connector reach every address, and resolves the names of `faultHosts` to loopback. */
export function faultReach(...folders: readonly string[]): Reach {
  return {
    ...openReach(...folders),
    address: async (host) => (faultHosts.includes(host) ? "127.0.0.1" : host),
  };
}

/** The reason why a fault cannot happen in a database. */
export type Reason = string;

export interface FaultPlugin {
  readonly plugin: Plugin;
  /**
   * Returns the number of connections, processes or engines that the plugin has opened and not yet closed. Absent if
   * the database does not count them.
   */
  openCount?(): Promise<number>;
}

/** The address of a database: a port, or a Unix socket. */
export type Place = NetConnectOpts;

/** A server that a test may kill. It contains the dataset `endless`. */
export interface KillableServer {
  /** The address of the server. Undefined if the connector does not use a network. */
  readonly place: Place | undefined;
  /** The schema of the server's datasets, if it differs from the engine's. */
  readonly schema?: string;
  /**
   * The error of a call that is interrupted when the server is killed.
   * @default PLUGIN_SOURCE_FAILED
   */
  readonly code?: PluginErrorCode;
  credentials(port: number): Credentials;
  /** Kills the server without a shutdown, like a crash. */
  kill(): Promise<void>;
  /** Resolves when the server accepts statements again. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** A server with TLS. The test chooses its certificates. */
export interface TlsServer {
  readonly port: number;
  /** The schema of the server's datasets, if it differs from the engine's. */
  readonly schema?: string;
  /** Makes the server use another certificate, from the next connection on. */
  use(certificate: TestCertificate): Promise<void>;
  credentials(
    host: string,
    port: number,
    properties: Readonly<Record<string, string>>,
  ): Credentials;
  close(): Promise<void>;
}

/** The ways to cause each fault. A string is the reason why the fault cannot happen. */
export interface FaultMeans {
  /** Starts a server that the test can kill. It contains the engine's datasets. */
  readonly kill: (() => Promise<KillableServer>) | Reason;
  /** The database's address. The test puts a proxy in front of it, which cuts and stalls connections. */
  readonly network: Place | Reason;
  /** Closes the pool's idle connections on the server. */
  readonly endIdle: (() => Promise<void>) | Reason;
  /** Maximum number of concurrent statements of an account. */
  readonly pool: { readonly most: number } | Reason;
  /** Takes a lock that blocks a reader of `plain`. The returned function releases the lock. */
  readonly lock:
    | {
        readonly code: PluginErrorCode;
        hold(): Promise<() => Promise<void>>;
      }
    | Reason;
  /** Returns the credentials with a wrong password. */
  readonly password: ((credentials: Credentials) => Credentials) | Reason;
  readonly tls:
    | {
        /** TLS modes from the weakest to the strongest. The last mode checks the name of the server. */
        readonly modes: readonly string[];
        open(): Promise<TlsServer>;
      }
    | Reason;
  /** Changes a table with one row and the columns `n` (number) and `word` (string). */
  readonly change: {
    /** Id of the dataset that changes. */
    readonly id: string;
    create(): Promise<void>;
    dropColumn(): Promise<void>;
    /**
     * Changes `n` to a string that is not a number. A string instead of a function is the reason why the database
     * cannot do this.
     */
    readonly toText: (() => Promise<void>) | Reason;
    drop(): Promise<void>;
  };
}

/** A database, and the connector that the fault suite tests on it. */
export interface FaultEngine {
  /**
   * Deadline in milliseconds that tests wait for.
   * @default 3000
   */
  readonly shortMs?: number;
  /** Matches the source's name, which every failure of the source contains. */
  readonly source: RegExp;
  /** Strings that no message and no log may contain. */
  readonly secrets: readonly string[];
  /** Strings that no message may contain, although the host's log may. */
  readonly hidden: readonly string[];
  /** Returns credentials for a loopback port. Files need no credentials. */
  credentials(port?: number): Credentials;
  open(options?: { readonly timeoutMs?: number }): Promise<FaultPlugin>;
  /**
   * Returns the id of a dataset with the column `n`. The dataset `plain` has three rows, `endless` never ends, and
   * `still` returns no row for minutes. `schema` selects the dataset of another server.
   */
  datasetOf(name: "plain" | "endless" | "still", schema?: string): string;
  /**
   * Returns the number of the connector's statements that are running or waiting on the server. A string is the reason
   * why the number is unknown.
   */
  readonly runningCount: (() => Promise<number>) | Reason;
  readonly means: FaultMeans;
  close(): Promise<void>;
}
