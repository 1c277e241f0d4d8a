import type { Demotion, ProtocolVersion } from "../../../plugins/protocol/index.ts";

/** Flags of a plugin's record that announce features of protocol 3.0.0. */
export const featureFlags = [
  "supports_distinctcount",
  "supports_order_limit",
  "supports_join",
  "supports_like",
  "supports_nested_filters",
  "supports_sql",
] as const;
export type FeatureFlag = (typeof featureFlags)[number];

/** The members of a plugin's record that concern its protocol. */
export interface AnnouncedPlugin {
  readonly protocolVersion: ProtocolVersion;
  readonly pushdown: boolean;
  readonly flags?: readonly FeatureFlag[];
}

const features: Readonly<Record<FeatureFlag, string>> = {
  supports_distinctcount: "distinct counts",
  supports_order_limit: "order and limit",
  supports_join: "joins",
  supports_like: "tests of parts of strings",
  supports_nested_filters: "nested filters",
  supports_sql: "SQL statements",
};

/**
 * Returns the flags of a plugin's record that are not used for pushdown, each with the reason. The host never sends
 * requests in a format that no plugin is known to support.
 */
export function unusedFlags({
  protocolVersion,
  pushdown,
  flags = [],
}: AnnouncedPlugin): readonly Demotion[] {
  return flags.map((flag) => ({
    capability: flag,
    reason: reasonOf(flag, protocolVersion, pushdown),
  }));
}

function reasonOf(flag: FeatureFlag, version: ProtocolVersion, pushdown: boolean): string {
  if (version === "manifold-1")
    return "a plugin that speaks manifold-1 declares this in its capabilities, not with flags";
  if (!pushdown) return "pushdown is false, so the host fetches all rows";
  if (flag === "supports_distinctcount")
    return "the host asks plugins over HTTP only for sums, counts, minimums and maximums, so it counts distinct values itself";
  if (version !== "3.0.0") return `protocol ${version} does not support ${features[flag]}`;
  return `the request format of protocol 3.0.0 for ${features[flag]} is not public, so the host does this itself`;
}
