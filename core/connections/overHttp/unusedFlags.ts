import type { Demotion } from "../../../plugins/protocol/index.ts";
import type { FeatureFlag, RemotePlugin } from "./remotePlugin.ts";

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
}: Pick<RemotePlugin, "protocolVersion" | "pushdown" | "flags">): readonly Demotion[] {
  return flags.flatMap((flag) => {
    const reason = reasonOf(flag, protocolVersion, pushdown);
    return reason === undefined ? [] : [{ capability: flag, reason }];
  });
}

function reasonOf(
  flag: FeatureFlag,
  version: RemotePlugin["protocolVersion"],
  pushdown: boolean,
): string | undefined {
  if (version === "manifold-1") return "a plugin of manifold-1 promises in its capabilities";
  if (!pushdown) return "pushdown is false, so the plugin is asked for all rows";
  if (flag === "supports_distinctcount") return undefined;
  if (version !== "3.0.0") return `protocol ${version} has no ${features[flag]}`;
  return `how protocol 3.0.0 asks for ${features[flag]} is not public, so the host does them`;
}
