import type { ProtocolVersion } from "../../../plugins/protocol/index.ts";

/**
 * Returns what to do if a plugin's record names another protocol version than the plugin speaks; undefined if the two
 * versions are equal, or if either is unknown. All numbered versions count as equal, because a plugin does not say
 * which one it is.
 */
export function otherVersion(
  recorded: ProtocolVersion | undefined,
  answered: ProtocolVersion | undefined,
): string | undefined {
  if (recorded === undefined || answered === undefined) return undefined;
  const isOwn = recorded === "manifold-1";
  if (isOwn === (answered === "manifold-1")) return undefined;
  return isOwn
    ? "the record says manifold-1, but the plugin does not answer GET /capabilities with its capabilities; remove protocol_version or correct base_url"
    : `the record says ${recorded}, but the plugin reports manifold-1; remove protocol_version or set it to manifold-1`;
}
