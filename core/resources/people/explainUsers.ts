import type { Knex } from "knex";
import { arrayBinding } from "../../catalog/index.ts";
import { invalid, readEntries } from "../../identity/index.ts";
import {
  type ApiCall,
  ApiError,
  asMap,
  type Handler,
  isObject,
  isUuid,
  type Records,
} from "../../base/index.ts";
import { accessOf } from "./accessOf.ts";
import type { Declaration } from "../kernel/index.ts";

export interface ExplainUsersOptions {
  readonly records: Pick<Records, "visible">;
  readonly knex: Knex;
  readonly declarations: ReadonlyMap<string, Declaration>;
}

const mostUsers = 200;

/**
 * Creates the action `explain` of `user`. For each of `ids` (1 to 200), it returns how the user signs in, when the user
 * last signed in, how many sessions and tokens act for the user or were issued by the user, and how many records of
 * each resource the user owns. Records with `goes_with_user` are deleted with the user, because they act with the
 * user's rights; other records need a new owner. Users whom the caller may not manage are absent. With
 * `options.access`, it also returns what each user can see, and why. Executes three SQL statements, and three more for
 * the access.
 * @throws {ApiError} MEMBER_INVALID
 */
export function explainUsers({ records, knex, declarations }: ExplainUsersOptions): Handler {
  return async ({ body, principal }) => {
    const given = readEntries(body.ids, "ids", mostUsers);
    if (given.length === 0 || !given.every(isUuid))
      throw invalid("ids", `must be a list of 1 to ${mostUsers} ids (UUIDs) of users`);
    const requested = given.map((id) => id.toLowerCase());
    const ids = [...(await records.visible("user", requested, "own", principal)).keys()];
    const owned = await ownedBy(ids, knex, declarations);
    const standings = await standingsOf(ids, knex);
    const access = readOptions(body).access
      ? await accessOf(ids, principal, { records, knex })
      : undefined;
    return {
      rows: standings.map((standing) => ({
        ...standing,
        owned: owned.get(standing.id) ?? [],
        ...(access && { access: access.get(standing.id) }),
      })),
    };
  };
}

function readOptions({ options = {} }: ApiCall["body"]): { readonly access: boolean } {
  const given = asMap(options);
  if (!isObject(given)) throw invalid("options", "must be an object");
  const { access = false, ...others } = given;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new ApiError("MEMBER_UNKNOWN", [`options.${unknown}`, "access"]);
  if (typeof access !== "boolean") throw invalid("options.access", "must be true or false");
  return { access };
}

interface Standing {
  readonly id: string;
}

/** Counts sessions and tokens of users. A session is recognized by its audit event, which has the session's id. */
async function standingsOf(ids: readonly string[], knex: Knex): Promise<readonly Standing[]> {
  const { rows }: { rows: Standing[] } = await knex.raw(
    `select u.id,
            exists (select 1 from user_password p where p.user_id = u.id) as has_password,
            exists (select 1 from sign_on_identity i where i.user_id = u.id)
              or exists (select 1 from provisioned_user p where p.user_id = u.id) as has_provider,
            exists (select 1 from provisioned_user p where p.user_id = u.id and not p.active) as is_ended,
            (select max(l.expires_at) from password_link l
              where l.user_id = u.id and l.kind = 'invitation' and l.expires_at > now()) as invited_until,
            exists (select 1 from end_user e where e.user_id = u.id) as is_end_user,
            (select e.username from end_user e where e.user_id = u.id limit 1) as username,
            (select max(a.created_at) from auditevent a
              where a.user_id = u.id and a.resource = 'authorization' and a.action = 'create'
                and a.record_id = a.authorization_id::text) as last_sign_in_at,
            counts.*
       from unnest(?::uuid[]) with ordinality as requested (id, place)
       join "user" u on u.id = requested.id
       cross join lateral (
         select count(*) filter (where t.user_id = u.id and t.type = 'login')::int as session_count,
                count(*) filter (where t.user_id = u.id and t.type = 'api')::int as api_token_count,
                count(*) filter (where t.user_id = u.id and t.type not in ('login', 'api'))::int as page_token_count,
                count(*) filter (where t.maker_id = u.id)::int as issued_token_count
           from "authorization" t
          where (t.user_id = u.id or t.maker_id = u.id) and t.expiry > now()
       ) counts
      order by requested.place`,
    [arrayBinding(ids)],
  );
  return rows;
}

interface OwnedCount {
  readonly resource: string;
  readonly count: number;
  readonly goes_with_user: boolean;
}

/**
 * Counts the records that each user owns, by resource. When the user is deleted, these records are deleted as well or
 * need a new owner.
 */
async function ownedBy(
  ids: readonly string[],
  knex: Knex,
  declarations: ReadonlyMap<string, Declaration>,
): Promise<ReadonlyMap<string, readonly OwnedCount[]>> {
  const owned = [...declarations.values()].flatMap((declaration) =>
    declaration.ownedBy === undefined ? [] : [{ ...declaration, key: declaration.ownedBy }],
  );
  const counts = owned.map(
    ({ ownedIf = "true" }) =>
      `select ?? as user_id, ?::text as resource, count(*)::int as count
         from ?? where ?? = any(?::uuid[]) and ${ownedIf} group by 1`,
  );
  const { rows }: { rows: { user_id: string; resource: string; count: number }[] } = await knex.raw(
    counts.join(" union all "),
    owned.flatMap(({ name, key }) => [key, name, name, key, arrayBinding(ids)]),
  );
  const leaving = new Set(owned.flatMap(({ name, goesWithOwner }) => (goesWithOwner ? name : [])));
  const byUser = new Map<string, OwnedCount[]>();
  for (const { user_id: userId, resource, count } of rows) {
    const counted = { resource, count, goes_with_user: leaving.has(resource) };
    byUser.set(userId, [...(byUser.get(userId) ?? []), counted]);
  }
  return byUser;
}
