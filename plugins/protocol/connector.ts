import type { Plugin } from "./plugin.ts";

/** How far a connector in the host's process may reach. */
export interface Reach {
  /**
   * Resolves a host name to the address that a socket connects to; TLS still checks the name.
   * @throws {PluginError} PLUGIN_INVALID when the operator does not allow that address
   */
  address(host: string, port: number): Promise<string>;
  /** Whether an IP address is public: the rule of `address`. */
  isPublic(address: string): boolean;
  /** Folders whose files may be opened: absolute paths without symbolic links. */
  readonly folders: readonly string[];
}

export interface ConnectorOptions {
  readonly reach: Reach;
  /** Deadline of a call, which a database also gets as the deadline of a statement. */
  readonly timeoutMs: number;
  /** Most bytes of an answer. */
  readonly sizeBytes: number;
}

/** Opens a connector. One plugin serves the credentials of all accounts. */
export type OpenConnector = (options: ConnectorOptions) => Promise<Plugin>;

/**
 * A member of an account that a connector reads. `host`, `port`, `scope` (the database), `identifier` (the user) and
 * `token` (the password) are members of the account itself; any other id is one of the account's `properties`.
 */
export interface AccountProperty {
  readonly id: string;
  /** For people. */
  readonly label: string;
  /** A `number` is whole and not negative; it travels as text. */
  readonly type: "text" | "password" | "number" | "boolean" | "select";
  /** The values of a `select`. */
  readonly options?: readonly string[];
  readonly required?: boolean;
  /**
   * Whether another value may send a stored password somewhere else, or less protected: then the host asks for the
   * password again. `false`: never. `weaker`, for a `select` whose options go from the weakest protection to the
   * strongest: only an earlier option does. Absent: any other value does.
   */
  readonly destination?: false | "weaker";
}

/** The module of a connector: what its folder's door exports. */
export interface Connector {
  readonly open: OpenConnector;
  /**
   * What accounts may have. The host refuses any other property of an account, and wrong values, before it connects;
   * the plugin receives the text of each that is given, and `port` and `scope` too, as `credentials.properties`.
   */
  readonly properties: readonly AccountProperty[];
}
