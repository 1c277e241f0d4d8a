import type { Demotion, ProtocolVersion } from "../../../plugins/protocol/index.ts";

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
  supports_like: "tests of parts of texts",
  supports_nested_filters: "nested filters",
  supports_sql: "statements in SQL",
};

/**
 * Lists the flags of a record that lead to no pushdown, with the reason. Only one request of protocol 3.0.0 is public,
 * distinct counts: nothing is sent in a form that no plugin is known to read.
 */
export function unusedFlags({
  protocolVersion,
  pushdown,
  flags = [],
}: AnnouncedPlugin): readonly Demotion[] {
  return flags.flatMap((flag) => {
    const reason = reasonOf(flag, protocolVersion, pushdown);
    return reason === undefined ? [] : [{ capability: flag, reason }];
  });
}

function reasonOf(
  flag: FeatureFlag,
  version: ProtocolVersion,
  pushdown: boolean,
): string | undefined {
  if (version === "manifold-1") return "a plugin of manifold-1 promises in its capabilities";
  if (!pushdown) return "pushdown is false, so the plugin is asked for all rows";
  if (flag === "supports_distinctcount") return undefined;
  if (version !== "3.0.0") return `protocol ${version} has no ${features[flag]}`;
  return `how protocol 3.0.0 asks for ${features[flag]} is not public, so the host does them`;
}
