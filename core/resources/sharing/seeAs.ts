import type { Knex } from "knex";
import {
  type ApiCall,
  ApiError,
  type Principal,
  type Records,
  type ResourceRow,
  type Right,
  type RowFilter,
} from "../../base/index.ts";
import { writeAudit } from "../../catalog/index.ts";
import { createToken, hashToken, type Principals } from "../../identity/index.ts";
import { type FindRowFilters, isParameter, parseRowFilter } from "../../queries/index.ts";
import { localizedText } from "../../web/charts/index.ts";
import { actsInFull, refuseNonIssuer } from "../people/authorization.ts";
import { endUserOf } from "../people/endUser.ts";
import { group } from "../people/group.ts";
import { holdersOf } from "./holdersOf.ts";
import { usersInReach } from "./usersInReach.ts";

export interface SeeAsOptions {
  readonly records: Records;
  readonly knex: Knex;
  readonly principals: Pick<Principals, "ofUsers">;
  /** Finds the row filters of a person on a dataset. */
  readonly rowFilters: FindRowFilters;
}

/** The user or group as whom a caller wants to see a record. */
export interface Seen {
  readonly role: "Users" | "Groups";
  readonly id: string;
}

/** What the pair is for: who acts, with which records and filters. */
interface Reach {
  readonly userId: string;
  readonly securableIds: ReadonlySet<string>;
  readonly filters: readonly RowFilter[];
  readonly name: string;
  /** Datasets that the user or group sees, but the pair does not, because their rows can depend on the person. */
  readonly withheldIds: ReadonlySet<string>;
}

interface Dataset {
  readonly id: string;
  readonly right: Right;
}

/** Lifetime in milliseconds of the key pair. */
const livesMs = 15 * 60_000;

/**
 * Creates a key pair that sees what a user or a group sees of a record and its datasets. The caller issues it, so it
 * never sees more than the caller does, and only datasets that the caller owns are in it: their filters are the
 * caller's own. The pair is of type `temporary`, so it never replaces a token of an embedded reader. Writes two audit
 * events.
 *
 * For owners of the organization, the pair acts for the user. For others it acts for the caller, narrowed by the
 * filters of the user or group, so that it reaches nothing of the user. It then leaves out datasets whose rows can
 * depend on the person: those of live sources, and those with filters that have the person's own values.
 * @throws {ApiError} FORBIDDEN for embed tokens; RECORD_NOT_FOUND for a user or group that the caller cannot see, or
 * with which a caller who does not own the organization shares none of the records
 */
export async function seeAs(
  row: ResourceRow<"securable">,
  datasets: readonly Dataset[],
  { role, id }: Seen,
  call: ApiCall,
  options: SeeAsOptions,
) {
  const { principal } = call;
  const { records } = options;
  const ids = [row.id, ...datasets.flatMap((each) => (each.right === "own" ? each.id : []))];
  const isForOwner = principal.organizationRole === "owner";
  if (isForOwner) refuseNonIssuer(principal);
  else await expectHolder({ role, id }, ids, principal, options);
  const whole =
    role === "Users"
      ? await reachOfUser(id, ids, principal, options)
      : await reachOfGroup(id, ids, call, options);
  const reach = isForOwner ? whole : await withinCaller(whole, { role, id }, principal, options);
  const has = (each: { readonly id: string }) => reach.securableIds.has(each.id);
  const secret = createToken();
  const expiry = new Date(Date.now() + livesMs);
  const made = await records.transaction(async (transaction) => {
    const values = {
      type: "temporary" as const,
      description: `sees as ${reach.name}`,
      role: "viewer" as const,
      user_id: reach.userId,
      maker_id: principal.userId,
      // The pair ends with the session or token of its issuer, and lists of tokens leave it out.
      parent_id: principal.authorizationId,
      username: reach.name,
      access: {
        dashboards: has(row) ? [{ id: row.id, rights: "read" }] : [],
        datasets: datasets.filter(has).map((each) => ({ id: each.id, rights: "use" })),
      },
      filters: [...reach.filters],
      // Nothing that the issuer does is recorded in the name of the person.
      feature_overrides: ["!flag_export", "!flag_add_ai_items", "!flag_ai_chart_generator"],
      expiry,
      token_hash: hashToken(secret),
    };
    const token = await records.insert("authorization", values, transaction);
    const seen = {
      action: "explain",
      resource: "securable",
      recordId: row.id,
      target: { role, resource: role === "Users" ? "user" : "group", id },
    } as const;
    await writeAudit(records, call, seen, transaction);
    const issued = { action: "create", resource: "authorization", recordId: token.id } as const;
    await writeAudit(records, call, issued, transaction);
    return token;
  });
  return {
    sees: has(row),
    datasets: datasets.filter(has).map((each) => each.id),
    withheld_datasets: [...reach.withheldIds],
    has_embed_filters: await haveEmbedFilters(ids, principal, options.knex),
    token: { id: made.id, token: secret, expiry: expiry.toISOString() },
  };
}

/** The user's own shares apply to the pair, because it acts for the user. */
async function reachOfUser(
  id: string,
  ids: readonly string[],
  principal: Principal,
  { records, knex, principals }: SeeAsOptions,
): Promise<Reach> {
  const user = (await usersInReach([id], principal, knex)).get(id);
  const acting = (await principals.ofUsers([id])).get(id);
  if (!user || !acting) throw new ApiError("RECORD_NOT_FOUND", ["user", id.slice(0, 100)]);
  const seen = await records.visible("securable", ids, "read", acting);
  const name = user.name || user.email;
  return {
    userId: id,
    securableIds: new Set(seen.keys()),
    filters: [],
    name,
    withheldIds: new Set(),
  };
}

/**
 * Refuses users and groups with which none of the records is shared, as if they did not exist. Embed tokens see as
 * nobody.
 * @throws {ApiError} FORBIDDEN, RECORD_NOT_FOUND
 */
async function expectHolder(
  { role, id }: Seen,
  ids: readonly string[],
  principal: Principal,
  { knex }: SeeAsOptions,
): Promise<void> {
  if (!actsInFull(principal))
    throw new ApiError("FORBIDDEN", ["act with an api token, or in a session"]);
  const kind = role === "Users" ? "user" : "group";
  const holders = await holdersOf(ids, knex);
  if (!holders.some((each) => each.kind === kind && each.id === id))
    throw new ApiError("RECORD_NOT_FOUND", [kind, id.slice(0, 100)]);
}

/**
 * Narrows the caller to what a user or group reaches. The caller acts, so the caller's own rights, filters and
 * overrides apply, and the user's filters are those of the pair. Datasets whose rows can depend on who acts are left
 * out.
 */
async function withinCaller(
  reach: Reach,
  { role, id }: Seen,
  principal: Principal,
  { records, principals, rowFilters }: SeeAsOptions,
): Promise<Reach> {
  const rows = await records.find("securable", { id: [...reach.securableIds], type: "dataset" });
  const person = role === "Users" ? (await principals.ofUsers([id])).get(id) : undefined;
  const withheldIds = new Set<string>();
  const filters: RowFilter[] = [];
  for (const { id: datasetId, storage } of rows) {
    const own = person
      ? (await rowFilters(person, datasetId)).map(({ setBy: _setBy, ...filter }) => filter)
      : reach.filters.filter((each) => each.securable_id === datasetId);
    const isPersonal = own.some(({ value }) => isParameter(value));
    if (isPersonal || storage === "client" || !storage) withheldIds.add(datasetId);
    else filters.push(...own);
  }
  const securableIds = new Set([...reach.securableIds].filter((each) => !withheldIds.has(each)));
  return { userId: principal.userId, securableIds, filters, name: reach.name, withheldIds };
}

/**
 * A group has no user. For owners of the organization an end user acts for it, for others the caller. The group's
 * filters are those of the pair.
 */
async function reachOfGroup(
  id: string,
  ids: readonly string[],
  call: ApiCall,
  { records, knex }: SeeAsOptions,
): Promise<Reach> {
  const { principal, requestId, address } = call;
  const isForOwner = principal.organizationRole === "owner";
  const found: { id: string; name: unknown } | undefined = await knex("group as g")
    .first("g.id", "g.name")
    .whereRaw("g.id::text = ?", [id])
    .where((query) => {
      // Others have been found among the holders of the record.
      if (isForOwner) group.allow(query, "g", "use", principal);
    });
  if (!found) throw new ApiError("RECORD_NOT_FOUND", ["group", id.slice(0, 100)]);
  const holders = (await holdersOf(ids, knex)).filter(
    (each) => each.kind === "group" && (each.id === id || each.is_public),
  );
  const endUserCall = { context: { records }, principal, requestId, address };
  const userId = isForOwner ? await endUserOf("temporary", {}, endUserCall) : principal.userId;
  return {
    userId,
    securableIds: new Set(holders.map((each) => each.securable_id)),
    filters: holders.flatMap(({ filters }) =>
      (filters ?? []).map((filter, index) => parseRowFilter(filter, `filters[${index}]`)),
    ),
    name: localizedText(found.name, "en") || id,
    withheldIds: new Set(),
  };
}

/** Returns whether the filters that the organization has for embed tokens apply to any of the records. */
async function haveEmbedFilters(
  ids: readonly string[],
  { organizationId }: Principal,
  knex: Knex,
): Promise<boolean> {
  const found: unknown = await knex("embedfiltergroup_securable as l")
    .first("l.securable_id")
    .join("embedfiltergroup as g", "g.id", "l.embedfiltergroup_id")
    .where("g.organization_id", organizationId)
    .whereRaw("l.securable_id = any(?::uuid[])", [[...ids]]);
  return found !== undefined;
}
