import { randomUUID } from "node:crypto";
import type { Knex } from "knex";
import type { ResourceRow } from "../../base/index.ts";

/** A load that has started. While the claim is valid, no other load fills a copy of the same dataset. */
export interface Claim {
  readonly copy: ResourceRow<"datasetcopy">;
  /** The dataset of the store that the load fills. */
  readonly buildId: string;
}

/** Seconds after its start for which a load counts as running even if the outbox has no task for it yet. */
const startS = 10;

/**
 * Starts a load of a dataset. If two attempts start simultaneously, only one gets the claim. A load counts as dead once
 * the lease of its outbox task has expired. Returns `busy` if another load is running, and undefined if the dataset is
 * no longer accelerated.
 */
export async function claimCopy(
  securableId: string,
  knex: Knex,
): Promise<Claim | "busy" | undefined> {
  return knex.transaction(async (transaction) => {
    const found: (ResourceRow<"datasetcopy"> & { readonly is_busy: boolean }) | undefined =
      await transaction("datasetcopy as c")
        .where("c.securable_id", securableId)
        .forUpdate()
        .first(
          "c.*",
          transaction.raw(
            `c.building_id is not null and (
               c.started_at > now() - ? * interval '1 second'
               or exists (select 1 from outbox o
                           where o.securable_id = c.building_id and o.due_at > clock_timestamp())) as is_busy`,
            [startS],
          ),
        );
    if (!found) return undefined;
    const { is_busy: isBusy, ...copy } = found;
    if (isBusy) return "busy";
    const buildId = randomUUID();
    await transaction("datasetcopy")
      .where({ id: copy.id })
      .update({
        status: "copying",
        building_id: buildId,
        copied_rows: 0,
        progress: null,
        started_at: transaction.raw("now()"),
        updated_at: transaction.raw("now()"),
      });
    return { copy, buildId };
  });
}
