import type { Plugin } from "./plugin.ts";

/** The addresses and folders that a connector in the host's process may reach. */
export interface Reach {
  /**
   * Resolves a host name to the IP address that a socket must connect to. TLS must still check the name.
   * @throws {PluginError} PLUGIN_INVALID if the operator does not allow the address
   */
  address(host: string, port: number): Promise<string>;
  /** Returns whether an IP address is public, by the same rule as `address`. */
  isPublic(address: string): boolean;
  /** Folders whose files may be opened, as absolute paths without symbolic links. */
  readonly folders: readonly string[];
}

/** The options with which the host opens a connector. */
export interface ConnectorOptions {
  /** The addresses and folders that the connector may reach. */
  readonly reach: Reach;
  /** Deadline of a call in milliseconds. Connectors also set it as the deadline of database statements. */
  readonly timeoutMs: number;
  /** Maximum size of an answer in memory, in bytes. */
  readonly sizeBytes: number;
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
   * Whether changing the value may send a stored password to another place, or with less protection. Whoever changes it
   * must then enter the password again. Absent: any change may. `false`: no change may. `weaker`: only a change to an
   * earlier option may; the setting is then a `select` whose options are listed from the weakest protection to the
   * strongest.
   */
  readonly destination?: false | "weaker";
}

/** The exports of a connector's `index.ts`. */
export interface Connector {
  /** Opens the connector. */
  readonly open: OpenConnector;
  /**
   * The settings that accounts may have. The host refuses unknown settings and invalid values before it connects. The
   * plugin receives the values as strings in `credentials.properties`, including `port` and `scope`.
   */
  readonly properties: readonly AccountProperty[];
}
