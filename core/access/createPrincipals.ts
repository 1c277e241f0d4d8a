import { nobody, type Principal } from "../contracts/index.ts";
import { ownOverridesOf } from "./ownOverrides.ts";
import { ownOf, personOf, type Standing, type UserColumns } from "./principalOf.ts";
import { readCredentials, type AccessOptions } from "./readCredentials.ts";

/** Users as principals of work that no call asks for. */
export interface Principals {
  /** The user with all its rights as they are now; undefined when it is gone. */
  ofUser(userId: string): Promise<Principal | undefined>;
  /** The newest token of type embed or sso of a user that has not ended; undefined when there is none. */
  ofNewestToken(userId: string): Promise<Principal | undefined>;
}

interface Found {
  readonly user: UserColumns;
  readonly standing: Standing;
  readonly setter: UserColumns | null;
  readonly setterStanding: Standing | null;
}

const userStatement = `
  select to_jsonb(u) as "user", to_jsonb(o) as standing, to_jsonb(s) as setter, to_jsonb(so) as "setterStanding"
    from "user" u
    join organization_user o on o.user_id = u.id
    left join "user" s on s.id = u.overrides_by
    left join organization_user so on so.user_id = u.overrides_by
   where u.id = ?::uuid`;

const tokenStatement = `
  select id from "authorization"
   where user_id = ?::uuid and type in ('embed', 'sso') and deleted_at is null and expiry > now()
     and (coalesce(inactivity_interval, 0) = 0
          or coalesce(last_used_at, created_at) + make_interval(secs => inactivity_interval) > now())
   order by created_at desc limit 1`;

/** Makes the principals of scheduled work. Each call is one or two statements; nothing is kept. */
export function createPrincipals(options: AccessOptions): Principals {
  const { knex } = options.catalog;
  return {
    async ofUser(userId) {
      const { rows }: { rows: Found[] } = await knex.raw(userStatement, [userId]);
      const [found] = rows;
      if (!found) return undefined;
      const { user, standing } = found;
      const own = ownOf(nobody, { ...found, own: ownOverridesOf(user, options.cipher) });
      return { ...personOf(nobody, "api", user, standing), ...(own && { own }) };
    },
    async ofNewestToken(userId) {
      const { rows }: { rows: { id: string }[] } = await knex.raw(tokenStatement, [userId]);
      const [token] = rows;
      return token && (await readCredentials(options, token.id))?.principal;
    },
  };
}
