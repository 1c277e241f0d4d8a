import type { FeatureFlag } from "../../../base/index.ts";
import type { ProtocolVersion } from "../../../../plugins/protocol/index.ts";

/** A plugin over HTTP: the members of its record, with the secret decrypted. */
export interface RemotePlugin {
  readonly slug: string;
  /** The URL of the plugin, without a trailing slash. */
  readonly baseUrl: string;
  readonly protocolVersion: ProtocolVersion;
  /** The secret, which is sent as X-Secret so that the plugin can authenticate its host. */
  readonly secret?: string;
  /** The previous secret, for a plugin that does not have the new one yet. */
  readonly previousSecret?: string;
  /** For numbered versions: whether the plugin filters and groups. */
  readonly pushdown: boolean;
  /** The features of protocol 3.0.0 that the plugin's record declares. */
  readonly flags?: readonly FeatureFlag[];
  /** For numbered versions: whether the plugin counts distinct values. */
  readonly supportsDistinctcount: boolean;
}
