import { arrayBinding } from "../../catalog/index.ts";
import { nobody, type Principal } from "../../base/index.ts";
import { isIdle } from "./authenticate.ts";
import { ownOverridesOf } from "./ownOverrides.ts";
import { ownOf, personOf, type Standing, type UserColumns } from "./principalOf.ts";
import { refusedSource } from "./tokens/callSource.ts";
import { readCredentials, type AccessOptions } from "./readCredentials.ts";

/**
 * Looks up the principals of scheduled work. The keys of the returned maps are user ids. Users without a principal are
 * omitted.
 */
export interface Principals {
  /** Returns the users with their current rights. */
  ofUsers(userIds: readonly string[]): Promise<ReadonlyMap<string, Principal>>;
  /**
   * Returns the principal of each user's newest token of type embed or sso. Users whose newest token is no longer valid
   * are omitted.
   */
  ofNewestTokens(userIds: readonly string[]): Promise<ReadonlyMap<string, Principal>>;
  /**
   * Returns the principal that a key has now, for work that was requested with the key earlier. Undefined if the token,
   * its user or its issuer no longer exists, or if the token does not allow the address.
   */
  ofToken(authorizationId: string, address?: string): Promise<Principal | undefined>;
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
   where u.id = any(?::uuid[])`;

/**
 * Selects the newest token of each user, if it is valid. No older token is used instead, because an older token may
 * have more rights. Tokens with a parent do not count: somebody issued them for a moment, to see what the parent sees.
 */
const tokenStatement = `
  select n.user_id, n.id
    from (select distinct on (user_id) *
            from "authorization"
           where user_id = any(?::uuid[]) and type in ('embed', 'sso') and parent_id is null
           order by user_id, created_at desc, id) n
   where n.deleted_at is null and n.expiry > now()
     and (coalesce(n.inactivity_interval, 0) = 0
          or coalesce(n.last_used_at, n.created_at) + make_interval(secs => n.inactivity_interval) > now())`;

/**
 * Creates the lookup of principals for scheduled work. `ofUsers` executes one SQL statement. The other methods execute
 * one statement per token, and `ofNewestTokens` executes one more. Nothing is cached.
 */
export function createPrincipals(options: AccessOptions): Principals {
  const { knex } = options.catalog;
  return {
    async ofUsers(userIds) {
      if (userIds.length === 0) return new Map();
      const ids = arrayBinding(new Set(userIds));
      const { rows }: { rows: Found[] } = await knex.raw(userStatement, [ids]);
      return new Map(
        rows.map((found): [string, Principal] => {
          const { user, standing } = found;
          const own = ownOf(nobody, { ...found, own: ownOverridesOf(user, options.cipher) });
          return [user.id, { ...personOf(nobody, "api", user, standing), ...(own && { own }) }];
        }),
      );
    },
    async ofNewestTokens(userIds) {
      if (userIds.length === 0) return new Map();
      const ids = arrayBinding(new Set(userIds));
      const { rows }: { rows: { user_id: string; id: string }[] } = await knex.raw(tokenStatement, [
        ids,
      ]);
      const found = await Promise.all(
        rows.map(async ({ user_id, id }) => {
          const credentials = await readCredentials(options, id);
          return credentials ? [[user_id, credentials.principal] as const] : [];
        }),
      );
      return new Map(found.flat());
    },
    async ofToken(authorizationId, address) {
      const found = await readCredentials(options, authorizationId);
      const now = Date.now();
      if (!found || found.lacksFactor) return undefined;
      if (now >= found.expiresAt || isIdle(found, now)) return undefined;
      const { addresses, ofOrganization } = found.sources ?? {};
      const source = address === undefined ? undefined : { address, origin: undefined };
      const allowed = { addresses, ofOrganization, origins: undefined };
      const isElsewhere = source !== undefined && refusedSource(allowed, source);
      return isElsewhere ? undefined : found.principal;
    },
  };
}
