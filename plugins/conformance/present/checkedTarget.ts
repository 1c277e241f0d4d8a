/** The plugin that a report is about, without its secrets. */
export interface CheckedTarget {
  /** The address or the folder that was passed to the command. */
  readonly name: string;
  /** The plugin's `base_url`, without a trailing slash. */
  readonly url: string;
  readonly protocolVersion: string;
  /** Whether the plugin requires a secret. */
  readonly hasSecret: boolean;
  /** Whether the command started the plugin itself. If it did, the plugin has stopped before the report is written. */
  readonly isStarted?: true;
  /** The ids of the credentials that were sent with the calls. */
  readonly credentialIds: readonly string[];
}
