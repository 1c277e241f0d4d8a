import type { Api } from "../../../api/index.ts";
import { textOf } from "../../../language/index.ts";
import type { AuditEvent } from "./auditEvent.ts";
import type { Subject } from "./told.ts";
import { words } from "./words.ts";

/** The subjects of events. */
export interface Subjects {
  of(resource: string, id: string): Subject;
}

interface Named {
  readonly id: string;
  readonly name?: unknown;
  readonly email?: unknown;
  readonly tag?: unknown;
  readonly type?: unknown;
}

/** Resources whose records have names that a search returns, and where the console shows them. */
const named: Readonly<
  Record<string, { readonly more?: readonly string[]; readonly path?: string }>
> = {
  user: { more: ["email"], path: "/access/people/" },
  group: { path: "/access/groups/" },
  integration: { path: "/access/integrations/" },
  ssoconfig: { path: "/access/signon/" },
  securable: { more: ["type"] },
  alert: { path: "/alerts/" },
  account: { path: "/data/connections/" },
  channel: {},
  collection: {},
  column: {},
  customchart: {},
  formula: {},
  plugin: {},
  theme: {},
};
const paths = { dataset: "/data/", dashboard: "/dashboards/" };
/** Resources whose records have a page, but no name that a search returns. */
const unnamed: Readonly<Record<string, string>> = { authorization: "/access/tokens/" };
const mostIds = 500;

/** Returns the address of a record in the console; undefined if the record has no page. */
function addressOf(resource: string, id: string): string | undefined {
  const path = named[resource]?.path ?? unnamed[resource];
  return path === undefined ? undefined : path + encodeURIComponent(id);
}

/**
 * Finds the names of the records that events name, with one call per resource. Records that were deleted, or that the
 * reader cannot see, have none.
 */
export async function readSubjects(
  api: Api,
  events: readonly AuditEvent[],
  signal?: AbortSignal,
): Promise<Subjects> {
  const idsOf = new Map<string, Set<string>>();
  const add = (resource: string, id: string) =>
    idsOf.set(resource, (idsOf.get(resource) ?? new Set()).add(id));
  for (const { resource, record_id: id, target, user_id: by } of events) {
    add("user", by);
    add(resource, id);
    if (target) add(target.resource, target.id);
  }
  const found = new Map<string, Named>();
  await Promise.all(
    [...idsOf].map(async ([resource, ids]) => {
      const kind = named[resource];
      // Targets of sign-ins are addresses.
      const uuids = [...ids].filter((id) => /^[\da-f-]{36}$/i.test(id)).slice(0, mostIds);
      if (!kind || uuids.length === 0) return;
      const attributes = ["id", "name", ...(kind.more ?? [])];
      const find = { where: { id: uuids }, attributes, limit: uuids.length };
      const { rows } = await api.get<Named>(resource, find, { signal });
      for (const row of rows) found.set(`${resource} ${row.id}`, row);
    }),
  );
  return {
    of(resource, id) {
      const row = found.get(`${resource} ${id}`);
      const type = row?.type === "dataset" || row?.type === "dashboard" ? row.type : undefined;
      const kind = (type && words.types[type]) ?? words.resources[resource] ?? resource;
      const name = row && (textOf(row.name) || textOf(row.email));
      const address = type && row ? paths[type] + row.id : addressOf(resource, id);
      const isGone = named[resource] !== undefined && !row;
      return {
        kind,
        ...(name && { name }),
        ...(address !== undefined && !isGone && { address }),
      };
    },
  };
}
