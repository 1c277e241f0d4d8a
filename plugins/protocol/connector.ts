import type { Plugin } from "./plugin.ts";

/** How far a connector in the host's process may reach. */
export interface Reach {
  /**
   * Resolves a host name to the address that a socket connects to; TLS still checks the name.
   * @throws {PluginError} PLUGIN_INVALID when the operator does not allow that address
   */
  address(host: string, port: number): Promise<string>;
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

/** Opens a connector: the export `open` of its folder's door. One plugin serves the credentials of all accounts. */
export type OpenConnector = (options: ConnectorOptions) => Promise<Plugin>;
