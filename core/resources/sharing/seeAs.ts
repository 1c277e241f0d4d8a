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
import { parseRowFilter } from "../../queries/index.ts";
import { localizedText } from "../../web/charts/index.ts";
import { refuseNonIssuer } from "../people/authorization.ts";
import { endUserOf } from "../people/endUser.ts";
import { group } from "../people/group.ts";
import { holdersOf } from "./holdersOf.ts";
import { usersInReach } from "./usersInReach.ts";

export interface SeeAsOptions {
  readonly records: Records;
  readonly knex: Knex;
  readonly principals: Pick<Principals, "ofUsers">;
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
}

/** Lifetime in milliseconds of the key pair. */
const livesMs = 15 * 60_000;

/**
 * Creates a key pair that sees what a user or a group sees of a record and its datasets. The caller issues it, so it
 * never sees more than the caller does, and only datasets that the caller owns are in it: their filters are the
 * caller's own. The pair is of type `temporary`, so it never replaces a token of an embedded reader. Writes two audit
 * events.
 * @throws {ApiError} FORBIDDEN for callers who may not issue tokens; RECORD_NOT_FOUND for a user or group that the
 * caller cannot see
 */
export async function seeAs(
  row: ResourceRow<"securable">,
  datasets: readonly { readonly id: string; readonly right: Right }[],
  { role, id }: Seen,
  call: ApiCall,
  options: SeeAsOptions,
) {
  const { principal } = call;
  const { records } = options;
  refuseNonIssuer(principal);
  const ids = [row.id, ...datasets.flatMap((each) => (each.right === "own" ? each.id : []))];
  const reach =
    role === "Users"
      ? await reachOfUser(id, ids, principal, options)
      : await reachOfGroup(id, ids, call, options);
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
  return { userId: id, securableIds: new Set(seen.keys()), filters: [], name };
}

/** A group has no user. An end user of the organization acts for it, and the group's filters are those of the pair. */
async function reachOfGroup(
  id: string,
  ids: readonly string[],
  call: ApiCall,
  { records, knex }: SeeAsOptions,
): Promise<Reach> {
  const { principal, requestId, address } = call;
  const found: { id: string; name: unknown } | undefined = await knex("group as g")
    .first("g.id", "g.name")
    .whereRaw("g.id::text = ?", [id])
    .where((query) => group.allow(query, "g", "use", principal));
  if (!found) throw new ApiError("RECORD_NOT_FOUND", ["group", id.slice(0, 100)]);
  const holders = (await holdersOf(ids, knex)).filter(
    (each) => each.kind === "group" && (each.id === id || each.is_public),
  );
  const userId = await endUserOf(
    "temporary",
    {},
    { context: { records }, principal, requestId, address },
  );
  return {
    userId,
    securableIds: new Set(holders.map((each) => each.securable_id)),
    filters: holders.flatMap(({ filters }) =>
      (filters ?? []).map((filter, index) => parseRowFilter(filter, `filters[${index}]`)),
    ),
    name: localizedText(found.name, "en") || id,
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
