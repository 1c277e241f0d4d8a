import { isObject, isUuid, type Records } from "../../base/index.ts";
import { limitsIn, quotaNames } from "./quotaLimits.ts";
import type { Quotas, QuotaState } from "./openQuotas.ts";

/** Quotas of one organization, for the operator. */
export interface ShownQuotas {
  readonly id: string;
  readonly name: unknown;
  readonly quotas: readonly QuotaState[];
}

/**
 * Handles `manifold quota`. Without `id`, returns the quotas of all organizations (at most 1,000). With `id`, first
 * sets the limits of that organization if any are given, and returns only its quotas.
 * @throws {Error} for an unknown organization or invalid limits
 */
export async function answerQuota(
  request: unknown,
  { quotas, records }: { readonly quotas: Quotas; readonly records: Pick<Records, "find"> },
): Promise<{ readonly organizations: readonly ShownQuotas[] }> {
  const { id, limits, removed } = isObject(request) ? request : {};
  if (id !== undefined && !isUuid(id)) throw new Error("id must be the UUID of an organization");
  const found = await records.find("organization", id === undefined ? {} : { id });
  if (id !== undefined && found.length === 0) throw new Error(`there is no organization ${id}`);
  if (id !== undefined && (limits !== undefined || removed !== undefined)) {
    const set = limitsIn(limits ?? {});
    const names = Array.isArray(removed) ? removed : [];
    if (!set)
      throw new Error(
        "limits must contain quotas with whole numbers, and a soft limit must not exceed its hard limit",
      );
    const gone = quotaNames.filter((name) => names.includes(name));
    await quotas.set(id, { ...Object.fromEntries(gone.map((name) => [name, null])), ...set });
  }
  const organizations: ShownQuotas[] = [];
  for (const each of found.slice(0, mostShown))
    organizations.push({ id: each.id, name: each.name, quotas: await quotas.states(each.id) });
  return { organizations };
}

const mostShown = 1_000;
