/** The plugin of a report, as the report names it. It carries no secret. */
export interface CheckedTarget {
  /** The argument of the command line: an address or a folder. */
  readonly name: string;
  /** Its `base_url`, without a slash at the end. */
  readonly url: string;
  readonly protocolVersion: string;
  readonly hasSecret: boolean;
  /** The command started it, and has ended it: its address is gone. */
  readonly isStarted?: true;
  /** The ids of the credentials that it was called with. */
  readonly credentialIds: readonly string[];
}
