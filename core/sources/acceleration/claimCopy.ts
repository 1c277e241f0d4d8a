import { randomUUID } from "node:crypto";
import type { Knex } from "knex";
import type { ResourceRow } from "../../base/index.ts";

/** A load that has begun: nobody else fills the dataset meanwhile. */
export interface Claim {
  readonly copy: ResourceRow<"datasetcopy">;
  /** The dataset of the store that it fills. */
  readonly buildId: string;
}

/** Seconds after its start in which a load counts as under way before the outbox knows of it. */
const startS = 10;

/**
 * Begins a load of a dataset: of two at the same time one gets it. A load counts as dead when the lease of its task in
 * the outbox has ended. `busy`: another load is under way; undefined: the dataset is not accelerated any more.
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
        started_at: transaction.raw("now()"),
        updated_at: transaction.raw("now()"),
      });
    return { copy, buildId };
  });
}
