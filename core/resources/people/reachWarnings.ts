import { isObject, type Members } from "../../base/index.ts";
import { reachOf } from "../../identity/index.ts";
import type { HookCall } from "../kernel/index.ts";

/** The largest number of datasets that the warnings about one token name. */
const namedCount = 10;

function idsIn(access: Members, kind: "dashboards" | "datasets"): string[] {
  const entries: unknown = Reflect.get(access, kind);
  return Array.isArray(entries)
    ? entries.filter(isObject<"id">).map(({ id }) => String(id).toLowerCase())
    : [];
}

/**
 * Returns warnings about a new token that cannot show what it names: a token that reaches no record, and dashboards
 * whose datasets it does not reach. Names only datasets that the issuer sees.
 */
export async function reachWarnings(
  values: Members<"access" | "securables" | "integration_id">,
  { context: { records }, principal }: HookCall,
): Promise<string[]> {
  const { access, securables, integration_id: integrationId } = values;
  const reach = isObject(access) ? await reachOf(access, records, principal) : {};
  const named = Array.isArray(securables) ? securables.map((id) => String(id).toLowerCase()) : [];
  const shared =
    typeof integrationId === "string"
      ? (await records.linked("integration", "Securables", [integrationId])).map(
          ({ otherId }) => otherId,
        )
      : [];
  const dashboards = new Set([...idsIn(reach, "dashboards"), ...named, ...shared]);
  const reached = new Set([...idsIn(reach, "datasets"), ...named, ...shared]);
  if (dashboards.size === 0 && reached.size === 0)
    return ["the token reaches no records; name dashboards and datasets in access"];
  const links = await records.linked("securable", "Datasets", [...dashboards]);
  const lacking = links.filter(({ otherId }) => !reached.has(otherId));
  const seen = await records.visible(
    "securable",
    [...new Set(lacking.map(({ otherId }) => otherId))],
    "read",
    principal,
  );
  return lacking
    .filter(({ otherId }) => seen.has(otherId))
    .slice(0, namedCount)
    .map(
      ({ ownId, otherId }) =>
        `the dashboard ${ownId} shows the dataset ${otherId}, which the token does not reach; give the token this dataset too`,
    );
}
