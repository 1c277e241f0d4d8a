import type { FeatureFlag } from "../../../base/index.ts";
import type { ProtocolVersion } from "../../../../plugins/protocol/index.ts";

/** A plugin that answers over HTTP: the members of its record, with the secret opened. */
export interface RemotePlugin {
  readonly slug: string;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly protocolVersion: ProtocolVersion;
  /** Sent as X-Secret, so that the plugin knows its host. */
  readonly secret?: string;
  /** The secret before a change, for a plugin that does not know the new one yet. */
  readonly previousSecret?: string;
  /** Numbered versions: whether it filters and groups. */
  readonly pushdown: boolean;
  /** Features of protocol 3.0.0 that the record announces. */
  readonly flags?: readonly FeatureFlag[];
  /** Numbered versions: whether it counts distinct values. */
  readonly supportsDistinctcount: boolean;
}
