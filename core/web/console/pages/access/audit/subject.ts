import type { Api } from "../../../api/index.ts";
import { textOf } from "../../../language/index.ts";
import type { AuditEvent } from "./auditEvent.ts";
import { readAbout, type RecordRef } from "./readAbout.ts";
import { readTokens } from "./readTokens.ts";
import type { Noun, Subject } from "./told.ts";
import { words } from "./words.ts";

/** The subjects of events. */
export interface Subjects {
  of(resource: string, id: string): Subject;
}

interface Named {
  readonly id: string;
  readonly name?: unknown;
  readonly email?: unknown;
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
  savedquestion: {},
  savedview: {},
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

/** The ids of records by resource. */
class Wanted {
  readonly ids = new Map<string, Set<string>>();

  add(resource: string, id: string): void {
    this.ids.set(resource, (this.ids.get(resource) ?? new Set()).add(id));
  }

  /** Returns the ids of a resource. Targets of sign-ins are addresses, not ids. */
  of(resource: string): readonly string[] {
    const ids = [...(this.ids.get(resource) ?? [])];
    return ids.filter((id) => id !== "").slice(0, mostIds);
  }
}

const isUuid = (id: string): boolean => /^[\da-f-]{36}$/i.test(id);

/**
 * Finds the names of the records that events name, and of the records that those are about, with one call per resource.
 * Records that were deleted, or that the reader cannot see, have none.
 */
export async function readSubjects(
  api: Api,
  events: readonly AuditEvent[],
  signal?: AbortSignal,
): Promise<Subjects> {
  const wanted = new Wanted();
  for (const { resource, record_id: id, target, user_id: by } of events) {
    wanted.add("user", by);
    wanted.add(resource, id);
    if (target) wanted.add(target.resource, target.id);
  }
  const [about, tokens] = await Promise.all([
    readAbout(api, (resource) => wanted.of(resource), signal),
    readTokens(api, wanted.of("authorization").filter(isUuid), signal),
  ]);
  for (const { resource, id } of about.values()) wanted.add(resource, id);
  for (const { about: shown } of tokens.values()) if (shown) wanted.add(shown.resource, shown.id);
  const found = new Map<string, Named>();
  await Promise.all(
    [...wanted.ids.keys()].map(async (resource) => {
      const kind = named[resource];
      const uuids = wanted.of(resource).filter(isUuid);
      if (!kind || uuids.length === 0) return;
      const attributes = ["id", "name", ...(kind.more ?? [])];
      const find = { where: { id: uuids }, attributes, limit: uuids.length };
      const { rows } = await api.get<Named>(resource, find, { signal });
      for (const row of rows) found.set(`${resource} ${row.id}`, row);
    }),
  );
  const nounOf = (resource: string): Noun =>
    words.nouns[resource] ?? { named: resource, some: words.some(resource) };
  const of = (resource: string, id: string): Subject => {
    const row = found.get(`${resource} ${id}`);
    const token = tokens.get(id);
    const type = row?.type === "dataset" || row?.type === "dashboard" ? row.type : undefined;
    const noun = nounOf(token?.kind ?? type ?? resource);
    const name = token?.name ?? (row && (textOf(row.name) || textOf(row.email)));
    const address = type && row ? paths[type] + row.id : addressOf(resource, id);
    const isGone = named[resource] !== undefined && !row;
    const seen = aboutOf(token?.about ?? about.get(`${resource} ${id}`));
    return {
      noun,
      ...(name && { name }),
      ...(address !== undefined && !isGone && { address }),
      ...(seen && { about: seen }),
    };
  };
  /** Returns the record that another one is about, if it has a name. */
  function aboutOf(ref: RecordRef | undefined): Subject | undefined {
    const subject = ref && of(ref.resource, ref.id);
    return subject?.name === undefined ? undefined : subject;
  }
  return { of };
}
