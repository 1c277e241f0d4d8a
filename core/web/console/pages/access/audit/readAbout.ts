import { isList, isRecord, type Api } from "../../../api/index.ts";

/** Where to find a record. */
export interface RecordRef {
  readonly resource: string;
  readonly id: string;
}

type Row = Readonly<Record<string, unknown>> & { readonly id: string };

/** Resources without names, which sentences describe by the dashboard, dataset or alert that they are about. */
const resources = ["share", "schedule", "savedquestion", "savedview", "acceleration"] as const;

/**
 * Finds the records that private links, schedules, saved questions and views, and accelerations are about, by `resource
 * id`. For records that were deleted, or that the reader cannot see, the audit tells what they were linked with.
 */
export async function readAbout(
  api: Api,
  idsOf: (resource: string) => readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, RecordRef>> {
  const about = new Map<string, RecordRef>();
  await Promise.all(
    resources.map(async (resource) => {
      const ids = idsOf(resource);
      if (ids.length === 0) return;
      const find = {
        where: { id: ids },
        ...(resource === "schedule" && {
          include: [{ model: "Alert", as: "Alerts", attributes: ["id"] }],
        }),
        limit: ids.length,
      };
      const { rows } = await api.get<Row>(resource, find, { signal });
      for (const row of rows) {
        const found = aboutOf(row);
        if (found) about.set(`${resource} ${row.id}`, found);
      }
      const missing = ids.filter((id) => !about.has(`${resource} ${id}`));
      for (const [id, ref] of await readLinks(api, resource, missing, signal))
        about.set(`${resource} ${id}`, ref);
    }),
  );
  return about;
}

function aboutOf(row: Row): RecordRef | undefined {
  const { securable_id: id, alerts } = row;
  if (typeof id === "string") return { resource: "securable", id };
  const [alert] = isList(alerts) ? alerts : [];
  return isRecord(alert) && typeof alert["id"] === "string"
    ? { resource: "alert", id: alert["id"] }
    : undefined;
}

/** Reads the newest link of each record from the audit. */
async function readLinks(
  api: Api,
  resource: string,
  ids: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, RecordRef>> {
  const links = new Map<string, RecordRef>();
  if (ids.length === 0) return links;
  const find = {
    where: { resource, record_id: ids, action: "associate" },
    order: [["created_at", "desc"]],
    limit: 2 * ids.length,
  };
  const { rows } = await api.get<{
    readonly record_id: string;
    readonly target: RecordRef | null;
  }>("auditevent", find, { signal });
  for (const { record_id: id, target } of rows)
    if (target && /^(?:securable|alert)$/.test(target.resource) && !links.has(id))
      links.set(id, { resource: target.resource, id: target.id });
  return links;
}
