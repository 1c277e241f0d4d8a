import { timingSafeEqual } from "node:crypto";
import type { Knex } from "knex";
import { arrayBinding } from "../../catalog/index.ts";
import { ApiError, isUuid, type Records, type ResourceRow } from "../../base/index.ts";

/** A call by which a plugin reports that its data has changed. */
export interface Notification {
  readonly pluginId: string;
  readonly secret: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface NotifyContext {
  readonly records: Records;
  readonly knex: Knex;
}

const mostDatasets = 1000;
/** Minimum seconds between the starts of two loads of a dataset, however often its plugin reports changes. */
const restS = 10;

/**
 * Makes accelerated datasets of a plugin due, so that they are loaded again. The notification names datasets by their
 * ids in the plugin. If it names none, all datasets of the plugin are due. Returns the number of datasets.
 * @throws {ApiError} UNAUTHORIZED for a wrong secret or an unknown plugin; MEMBER_INVALID
 */
export async function notifyChange(
  { pluginId, secret, body }: Notification,
  { records, knex }: NotifyContext,
): Promise<{ readonly count: number }> {
  const [plugin] = isUuid(pluginId) ? await records.find("plugin", { id: pluginId }) : [];
  if (!plugin || !isSecretOf(plugin, secret, records)) throw new ApiError("UNAUTHORIZED");
  const datasets = datasetsOf(body);
  const { rowCount }: { rowCount: number } = await knex.raw(
    `update schedule set scheduled_at = greatest(now(), c.started_at + ? * interval '1 second')
       from securable s join account a on a.id = s.account_id join datasetcopy c on c.securable_id = s.id
      where schedule.securable_id = s.id and schedule.task = 'acceleration' and schedule.active
        and a.plugin_id = ? and (? or s.source_sheet = any(?::text[]))`,
    [restS, plugin.id, datasets === undefined, arrayBinding(datasets ?? [])],
  );
  return { count: rowCount };
}

function datasetsOf({ event, datasets }: Notification["body"]): readonly string[] | undefined {
  if (event !== "data_changed")
    throw new ApiError("MEMBER_INVALID", ["event", "the event must be data_changed"]);
  if (datasets === undefined || datasets === null) return undefined;
  const isList = Array.isArray(datasets) && datasets.length <= mostDatasets;
  if (!isList || !datasets.every((id) => typeof id === "string"))
    throw new ApiError("MEMBER_INVALID", [
      "datasets",
      `it must be a list of at most ${mostDatasets} ids of the plugin's datasets, or be left out for all datasets`,
    ]);
  return datasets;
}

/** Returns whether a string is the secret of a plugin or its previous secret, which is valid for a limited time. */
function isSecretOf(
  plugin: ResourceRow<"plugin">,
  given: string | undefined,
  records: Records,
): boolean {
  if (isEqual(given, records.reveal("plugin", plugin, "secret"))) return true;
  const isOverlap = (plugin.previous_secret_until?.getTime() ?? 0) > Date.now();
  return isOverlap && isEqual(given, records.reveal("plugin", plugin, "previous_secret"));
}

function isEqual(given: string | undefined, expected: string | undefined): boolean {
  if (given === undefined || expected === undefined || expected === "") return false;
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
