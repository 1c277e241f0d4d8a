import {
  ApiError,
  type Connections,
  type Handler,
  isUuid,
  type Records,
} from "../../base/index.ts";

export interface ExplainPluginOptions {
  readonly records: Pick<Records, "visible">;
  readonly connections: Pick<Connections, "callsOf">;
}

/**
 * Creates the action `explain` of plugins. It returns counts and times of the calls made by this process, for callers
 * who may read the plugin. The plugin's owner sees the calls of all organizations; other callers see only the calls of
 * their own organization.
 * @throws {ApiError} RECORD_NOT_FOUND for a plugin that the caller may not read
 */
export function explainPlugin({ records, connections }: ExplainPluginOptions): Handler {
  return async ({ body, principal }) => {
    const { id } = body;
    if (typeof id !== "string") throw new ApiError("MEMBER_MISSING", ["id", "the id of a plugin"]);
    const ids = isUuid(id) ? [id.toLowerCase()] : [];
    const readable = await records.visible("plugin", ids, "read", principal);
    const [plugin] = readable.values();
    if (!plugin)
      throw new ApiError("RECORD_NOT_FOUND", ["plugin", JSON.stringify(id.slice(0, 100))]);
    const owned = await records.visible("plugin", [plugin.id], "own", principal);
    const organizationId = owned.size > 0 ? undefined : principal.organizationId;
    return { id: plugin.id, ...connections.callsOf(plugin.id, organizationId) };
  };
}
