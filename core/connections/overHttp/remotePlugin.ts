import type { ProtocolVersion } from "../../../plugins/protocol/index.ts";

/** Flags of a plugin's record that announce a feature of protocol 3.0.0. */
export const featureFlags = [
  "supports_distinctcount",
  "supports_order_limit",
  "supports_join",
  "supports_like",
  "supports_nested_filters",
  "supports_sql",
] as const;
export type FeatureFlag = (typeof featureFlags)[number];

/** A plugin that answers over HTTP: the members of its record, with the secret opened. */
export interface RemotePlugin {
  readonly slug: string;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly protocolVersion: ProtocolVersion;
  /** Sent as X-Secret, so that the plugin knows its host. */
  readonly secret?: string;
  /** Numbered versions: whether it filters and groups. */
  readonly pushdown: boolean;
  /** Features of protocol 3.0.0 that the record announces. */
  readonly flags?: readonly FeatureFlag[];
  /** Numbered versions: whether it counts distinct values. */
  readonly supportsDistinctcount: boolean;
}
