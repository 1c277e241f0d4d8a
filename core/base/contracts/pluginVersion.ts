import type { ProtocolVersion } from "../../../plugins/protocol/index.ts";

/** The result of asking a plugin over HTTP which protocol version it speaks. */
export interface PluginVersion {
  /**
   * `answered`: the version is known. `refused`: the plugin rejected the host's secret. `unclear`: the plugin failed or
   * did not answer in time. `unreachable`: there was no connection, or this host may not connect to the address.
   */
  readonly outcome: "answered" | "refused" | "unclear" | "unreachable";
  /**
   * The version that the plugin speaks, present if `outcome` is `answered`. A plugin of any numbered version counts as
   * 3.0.0.
   */
  readonly version?: ProtocolVersion;
  /** What went wrong, in one line without secrets. Absent if nothing went wrong. */
  readonly problem?: string;
}

/** The members of a plugin's record that are needed to ask for its version, with secrets in plain text. */
export interface AskablePlugin {
  readonly slug: string;
  readonly base_url: string;
  readonly pushdown: boolean;
  readonly secret?: string;
  readonly previousSecret?: string;
  readonly organizationId: string;
}
