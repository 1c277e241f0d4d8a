import type { NetConnectOpts } from "node:net";
import type { Credentials, Plugin, PluginErrorCode, Reach } from "../../plugins/protocol/index.ts";
import type { TestCertificate } from "../support/certificate.ts";
import { openReach } from "../support/openReach.ts";

/** Names of servers that the connectors of this suite find on loopback. */
const faultHosts: readonly string[] = ["db.test", "other.test"];

/** Lets a connector reach every address, and finds the names of `faultHosts` on loopback. */
export function faultReach(...folders: readonly string[]): Reach {
  return {
    ...openReach(...folders),
    address: async (host) => (faultHosts.includes(host) ? "127.0.0.1" : host),
  };
}

/** A plain reason why a fault cannot happen to a database. */
export type Reason = string;

export interface FaultPlugin {
  readonly plugin: Plugin;
  /** Connections, processes or engines that the plugin has open, where the database counts them. */
  openCount?(): Promise<number>;
}

/** A place where a database is reached: a port, or a Unix socket. */
export type Place = NetConnectOpts;

/** A server that a test may kill, with the dataset `endless` in it. */
export interface KillableServer {
  /** Undefined where nothing is between the connector and what is killed. */
  readonly place: Place | undefined;
  /** The schema of its datasets, where the engine has another. */
  readonly schema?: string;
  /** The failure of a call that the kill interrupts; PLUGIN_SOURCE_FAILED when absent. */
  readonly code?: PluginErrorCode;
  credentials(port: number): Credentials;
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>;
  /** Resolves when it takes statements again. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** A server that offers TLS with certificates that a test chooses. */
export interface TlsServer {
  readonly port: number;
  /** The schema of its datasets, where the engine has another. */
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

/** How one fault is made; a text is the reason why it cannot be. */
export interface FaultMeans {
  /** A server that the test starts and kills; it has the datasets of the engine. */
  readonly kill: (() => Promise<KillableServer>) | Reason;
  /** The place behind which the test puts a proxy that cuts and stalls. */
  readonly network: Place | Reason;
  /** Ends the connections that wait in the pool, at the server. */
  readonly endIdle: (() => Promise<void>) | Reason;
  /** Statements of one account at a time. */
  readonly pool: { readonly most: number } | Reason;
  /** Takes a lock that a reader of `plain` waits for; the answer releases it. */
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
        /** The modes, from the weakest; the last one checks the name. */
        readonly modes: readonly string[];
        open(): Promise<TlsServer>;
      }
    | Reason;
  /** Changes a table of the columns `n` (a number) and `word` (a text), with one row. */
  readonly change: {
    /** The id of the dataset. */
    readonly id: string;
    create(): Promise<void>;
    dropColumn(): Promise<void>;
    /** Makes `n` a text that spells no number; a reason where the database has no such change. */
    readonly toText: (() => Promise<void>) | Reason;
    drop(): Promise<void>;
  };
}

/** A database for the suite of faults. */
export interface FaultEngine {
  /** Milliseconds of a deadline that tests wait for; three seconds when absent. */
  readonly shortMs?: number;
  /** In the message of every failure of the source. */
  readonly source: RegExp;
  /** Texts that no message and no log may have. */
  readonly secrets: readonly string[];
  /** Texts that no message may have; the log of the host may. */
  readonly hidden: readonly string[];
  /** Credentials for a port of loopback; files have none. */
  credentials(port?: number): Credentials;
  open(options?: { readonly timeoutMs?: number }): Promise<FaultPlugin>;
  /**
   * The id of a dataset with the column `n`: three rows; rows without an end; no row for minutes. `schema` names one of
   * another server.
   */
  datasetOf(name: "plain" | "endless" | "still", schema?: string): string;
  /** Statements of the connector that the server has, running or waiting; a reason where nobody knows. */
  readonly runningCount: (() => Promise<number>) | Reason;
  readonly means: FaultMeans;
  close(): Promise<void>;
}
