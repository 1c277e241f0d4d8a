import type { NetConnectOpts } from "node:net";
import type { Credentials, Plugin, PluginErrorCode, Reach } from "../../plugins/protocol/index.ts";
import type { TestCertificate } from "../support/certificate.ts";
import { openReach } from "../support/openReach.ts";

/** Names of servers that this suite's connectors find on loopback. */
const faultHosts: readonly string[] = ["db.test", "other.test"];

/** Lets a connector reach every address, and resolves the names of `faultHosts` to loopback. */
export function faultReach(...folders: readonly string[]): Reach {
  return {
    ...openReach(...folders),
    address: async (host) => (faultHosts.includes(host) ? "127.0.0.1" : host),
  };
}

/** The reason why a fault cannot happen to a database. */
export type Reason = string;

export interface FaultPlugin {
  readonly plugin: Plugin;
  /** Connections, processes or engines that the plugin has open, if the database counts them. */
  openCount?(): Promise<number>;
}

/** Where a database can be reached: a port, or a Unix socket. */
export type Place = NetConnectOpts;

/** A server with the dataset `endless` that a test may kill. */
export interface KillableServer {
  /** Undefined if the connector reaches it without a network. */
  readonly place: Place | undefined;
  /** The schema of its datasets, if it differs from the engine's. */
  readonly schema?: string;
  /**
   * The error of a call that the kill interrupts.
   * @default PLUGIN_SOURCE_FAILED
   */
  readonly code?: PluginErrorCode;
  credentials(port: number): Credentials;
  /** Kills it at once, like a crash. */
  kill(): Promise<void>;
  /** Resolves when it accepts statements again. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** A server with TLS, whose certificates the test chooses. */
export interface TlsServer {
  readonly port: number;
  /** The schema of its datasets, if it differs from the engine's. */
  readonly schema?: string;
  /** Uses another certificate from the next connection on. */
  use(certificate: TestCertificate): Promise<void>;
  credentials(
    host: string,
    port: number,
    properties: Readonly<Record<string, string>>,
  ): Credentials;
  close(): Promise<void>;
}

/** How to cause each fault. A string is the reason why it cannot happen. */
export interface FaultMeans {
  /** A server with the engine's datasets that the test starts and kills. */
  readonly kill: (() => Promise<KillableServer>) | Reason;
  /** The address behind the test's proxy, which cuts and stalls connections. */
  readonly network: Place | Reason;
  /** Closes the idle connections of the pool, on the server. */
  readonly endIdle: (() => Promise<void>) | Reason;
  /** Maximum concurrent statements of one account. */
  readonly pool: { readonly most: number } | Reason;
  /** Takes a lock for which a reader of `plain` waits. The returned function releases it. */
  readonly lock:
    | {
        readonly code: PluginErrorCode;
        hold(): Promise<() => Promise<void>>;
      }
    | Reason;
  /** Makes the password wrong. */
  readonly password: ((credentials: Credentials) => Credentials) | Reason;
  readonly tls:
    | {
        /** TLS modes from the weakest to the strongest. The last one checks the name. */
        readonly modes: readonly string[];
        open(): Promise<TlsServer>;
      }
    | Reason;
  /** Changes a table with one row and the columns `n` (number) and `word` (string). */
  readonly change: {
    /** Id of the dataset. */
    readonly id: string;
    create(): Promise<void>;
    dropColumn(): Promise<void>;
    /** Turns `n` into a string that is not a number. A string is the reason why the database cannot do this. */
    readonly toText: (() => Promise<void>) | Reason;
    drop(): Promise<void>;
  };
}

/** A database for the fault suite. */
export interface FaultEngine {
  /**
   * Deadline in milliseconds that tests wait for.
   * @default 3000
   */
  readonly shortMs?: number;
  /** Contained in the message of every failure of the source. */
  readonly source: RegExp;
  /** Strings that must not appear in any message or log. */
  readonly secrets: readonly string[];
  /** Strings that must not appear in messages; the host's log may contain them. */
  readonly hidden: readonly string[];
  /** Credentials for a loopback port. Files have none. */
  credentials(port?: number): Credentials;
  open(options?: { readonly timeoutMs?: number }): Promise<FaultPlugin>;
  /**
   * Returns the id of a dataset with the column `n`: three rows, endless rows, or no row for minutes. `schema` selects
   * another server's dataset.
   */
  datasetOf(name: "plain" | "endless" | "still", schema?: string): string;
  /**
   * Counts the connector's statements that are running or waiting on the server. A string is the reason why this is
   * unknown.
   */
  readonly runningCount: (() => Promise<number>) | Reason;
  readonly means: FaultMeans;
  close(): Promise<void>;
}
