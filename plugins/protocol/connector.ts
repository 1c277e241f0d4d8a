import type { Plugin } from "./plugin.ts";

/** The addresses and folders that a connector in the host's process may reach. */
export interface Reach {
  /**
   * Resolves a host name to the IP address to which a socket must connect. TLS must still check the host name.
   * @throws {PluginError} PLUGIN_INVALID if the operator does not allow the address
   */
  address(host: string, port: number): Promise<string>;
  /** Returns whether an IP address is public, by the same rule as `address`. */
  isPublic(address: string): boolean;
  /** Folders whose files the connector may open, as absolute paths without symbolic links. */
  readonly folders: readonly string[];
}

/** The addresses and folders that a connector may reach, and the limits of its calls. */
export interface ConnectorOptions {
  /** The addresses and folders that the connector may reach. */
  readonly reach: Reach;
  /** Deadline of a call in milliseconds. Connectors also set it as the deadline of database statements. */
  readonly timeoutMs: number;
  /** Maximum size of an answer in memory, in bytes. */
  readonly sizeBytes: number;
  /**
   * URL of the main module of the driver that the connector needs, if the host has located one.
   * @default the package that is installed next to the connector
   */
  readonly driverUrl?: string;
}

/** Opens a connector. The returned plugin serves all accounts, each with its own credentials. */
export type OpenConnector = (options: ConnectorOptions) => Promise<Plugin>;

/**
 * A setting of an account that a connector reads. The ids `host`, `port`, `scope` (the database), `identifier` (the
 * user) and `token` (the password) are members of the account itself. Any other id belongs to its `properties`.
 */
export interface AccountProperty {
  /** Id of the setting. */
  readonly id: string;
  /** Name of the setting, as shown to users. */
  readonly label: string;
  /** Kind of input. A `number` is a non-negative integer. Values of every kind are sent as strings. */
  readonly type: "text" | "password" | "number" | "boolean" | "select";
  /** The allowed values of a `select`. */
  readonly options?: readonly string[];
  /**
   * Whether an account must have a value for the setting.
   * @default false
   */
  readonly required?: boolean;
  /**
   * Whether a change of the value could send the stored password to another server, or send it with less protection.
   * A caller who makes such a change must enter the password again.
   *
   * - Absent: every change could do this.
   * - `false`: no change could do this.
   * - `weaker`: only a change to an earlier option could do this. The setting must be a `select` that lists its options
   * from the weakest protection to the strongest.
   */
  readonly destination?: false | "weaker";
}

/**
 * The exports of a connector. They are the exports of its `index.ts` in this package, or of the separate package that
 * contains it.
 */
export interface Connector {
  /** Opens the connector. */
  readonly open: OpenConnector;
  /**
   * The settings that accounts may have. The host refuses unknown settings and invalid values before it connects. The
   * plugin receives the values as strings in `credentials.properties`, including `port` and `scope`.
   */
  readonly properties: readonly AccountProperty[];
  /**
   * Name of the provider on accounts: 1 to 50 lowercase letters, digits, `-` or `_`. Only connectors in separate
   * packages set it, and the operator may choose another name. Absent: the operator must choose a name.
   */
  readonly slug?: string;
  /**
   * Whether the `host` of an account is a file or a folder. `only`: the connector needs folders that the operator
   * configures (`Reach.folders`). `also`: the connector also accepts addresses.
   * @default addresses only
   */
  readonly files?: "only" | "also";
  /**
   * The version of the protocol that the connector speaks. In its own process, a host speaks only `manifold-1`, and
   * refuses to start with a connector of another version.
   * @default manifold-1
   */
  readonly protocolVersion?: string;
}
