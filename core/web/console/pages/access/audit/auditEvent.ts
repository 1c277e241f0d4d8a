import type { Api, Found } from "../../../api/index.ts";
import { textOf } from "../../../language/index.ts";
import { words } from "./words.ts";

/** A completed change, as the audit records it. */
export interface AuditEvent {
  readonly id: string;
  readonly created_at: string;
  readonly user_id: string;
  readonly authorization_id: string;
  readonly request_id: string | null;
  /** IP address of the caller; null for the host's own work, and for changes recorded by older versions. */
  readonly address: string | null;
  readonly action: string;
  readonly resource: string;
  readonly record_id: string;
  readonly members: readonly string[];
  readonly target: { readonly role: string; readonly resource: string; readonly id: string } | null;
  /** Name of the user who made the change. */
  readonly who: string;
}

/** Filters for the list of events. An empty string does not filter. `from` and `to` are days. */
export interface AuditFilter {
  readonly user: string;
  readonly action: string;
  readonly resource: string;
  readonly record: string;
  readonly from: string;
  readonly to: string;
}

export const noFilter: AuditFilter = {
  user: "",
  action: "",
  resource: "",
  record: "",
  from: "",
  to: "",
};

/** Returns the start of a day in the reader's time zone, and the start of the next day. */
function dayOf(text: string): readonly [Date, Date] | undefined {
  const [year, month, day] = text.split("-").map(Number);
  if (!year || !month || !day) return undefined;
  return [new Date(year, month - 1, day), new Date(year, month - 1, day + 1)];
}

function whereOf({ user, action, resource, record, from, to }: AuditFilter): object {
  const [begin] = dayOf(from) ?? [];
  const [, end] = dayOf(to) ?? [];
  return {
    ...(user !== "" && { user_id: user }),
    ...(action !== "" && { action }),
    ...(resource !== "" && { resource }),
    // A share is an event of the person or group, with the dashboard or dataset at the other end.
    ...(record !== "" && { or: [{ record_id: record }, { "target.id": record }] }),
    ...((begin ?? end) && {
      created_at: {
        ...(begin && { gte: begin.toISOString() }),
        ...(end && { lt: end.toISOString() }),
      },
    }),
  };
}

/** Returns the filter for events older than the given event. New events therefore do not shift the pages. */
const after = ({ created_at: at, id }: AuditEvent): object => ({
  or: [{ created_at: { lt: at } }, { created_at: at, id: { gt: id } }],
});

/** Finds events, newest first and older than `last`, with the names of their actors. Makes two calls. */
export async function readEvents(
  api: Api,
  filter: AuditFilter,
  { last, limit }: { readonly last?: AuditEvent | undefined; readonly limit: number },
  signal?: AbortSignal,
): Promise<Found<AuditEvent>> {
  const where = [whereOf(filter), ...(last ? [after(last)] : [])];
  const find = { where: { and: where }, order: [["created_at", "desc"]], limit };
  const { count, rows } = await api.get<AuditEvent>("auditevent", find, { signal });
  const ids = [...new Set(rows.map(({ user_id: id }) => id))];
  const people =
    ids.length === 0
      ? []
      : (
          await api.get<{ readonly id: string; readonly name: unknown; readonly email: string }>(
            "user",
            { where: { id: ids }, attributes: ["id", "name", "email"], limit: ids.length },
            { signal },
          )
        ).rows;
  const names = new Map(people.map(({ id, name, email }) => [id, textOf(name) || email]));
  return {
    count,
    rows: rows.map((row) => ({ ...row, who: names.get(row.user_id) || words.deletedPerson })),
  };
}
