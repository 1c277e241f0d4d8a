/** The plugin that a report is about. It contains no secrets. */
export interface CheckedTarget {
  /** The argument of the command: an address or a folder. */
  readonly name: string;
  /** The plugin's `base_url`, without a trailing slash. */
  readonly url: string;
  readonly protocolVersion: string;
  /** Whether the plugin requires a secret. */
  readonly hasSecret: boolean;
  /** Whether the command started the plugin itself. The plugin has stopped by then, and its address is gone. */
  readonly isStarted?: true;
  /** The ids of the credentials in its calls. */
  readonly credentialIds: readonly string[];
}
