import { openSealed, refuseLost, type Catalog, type Cipher } from "../../catalog/index.ts";
import { ownOverridesOf } from "./ownOverrides.ts";
import { isRestricted } from "./permits.ts";
import { allowedSources, type AllowedSources } from "./tokens/callSource.ts";
import { principalOf, type UserColumns } from "./principalOf.ts";
import {
  authorizationTypes,
  type AuthorizationType,
  type Principal,
  type ResourceRow,
  isUuid,
} from "../../base/index.ts";

/** The catalog with the credentials, and the cipher for their encrypted members. */
export interface AccessOptions {
  readonly catalog: Pick<Catalog, "knex">;
  readonly cipher: Cipher;
}

/** What the catalog stores about a key, as of one version of all data that affects tokens. */
export interface Credentials {
  readonly principal: Principal;
  readonly tokenHash: Buffer;
  /** The sources from which the key may be used; undefined for any source. */
  readonly sources: AllowedSources | undefined;
  /** When the token expires, in milliseconds since 1970. */
  readonly expiresAt: number;
  /** Whether the organization requires a second factor although the sign-in used only a password. */
  readonly lacksFactor: boolean;
  /** Milliseconds without a call after which the token becomes invalid; Infinity for no limit. */
  readonly inactivityMs: number;
  /** When the token was last used, in milliseconds since 1970. Creating the token counts as a use. */
  readonly lastUsedAt: number;
  readonly version: string;
  /** Size of the stored row in bytes. */
  readonly sizeBytes: number;
}

/**
 * Selects the credentials of a key. Rows that are only looked up come from subqueries, because outer joins took three
 * quarters of the planning time.
 */
const statement = `
  select to_jsonb(u) as "user", to_jsonb(o) as standing,
         (select to_jsonb(m) from "user" m where m.id = a.maker_id) as issuer,
         (select to_jsonb(mo) from organization_user mo where mo.user_id = a.maker_id) as "issuerStanding",
         (select to_jsonb(s) from "user" s where s.id = u.overrides_by) as setter,
         (select to_jsonb(so) from organization_user so where so.user_id = u.overrides_by) as "setterStanding",
         (select version from access_version) as version, pg_column_size(a) as "sizeBytes", a.*,
         g.require_second_factor and a.type = 'login' and a.factor is null and a.ssoconfig_id is null
           and (a.parent_id is null or exists (
             select 1 from "authorization" p where p.id = a.parent_id and p.type = 'login' and p.factor is null
           )) as "lacksFactor",
         case when a.type in ('api', 'login') then g.allowed_addresses end as "ofOrganization"
    from "authorization" a
    join "user" u on u.id = a.user_id
    join organization_user o on o.user_id = a.user_id
    join organization g on g.id = o.organization_id
   where a.id = ?::uuid and a.deleted_at is null`;

const sealedMembers = ["parameter_overrides", "account_overrides"];
const noKey = "00000000-0000-0000-0000-000000000000";

interface Found extends Record<string, unknown> {
  readonly type: AuthorizationType;
  readonly user: UserColumns;
  readonly standing: { readonly organization_id: string; readonly flagOwn: boolean };
  readonly issuer: UserColumns | null;
  readonly issuerStanding: { readonly organization_id: string; readonly flagOwn: boolean } | null;
  readonly token_hash: Buffer;
  readonly setter: UserColumns | null;
  readonly setterStanding: { readonly organization_id: string; readonly flagOwn: boolean } | null;
  readonly version: string;
  readonly sizeBytes: number;
  readonly lacksFactor: boolean;
  readonly ofOrganization: readonly string[] | null;
}

/**
 * Reads the credentials of a key in one SQL statement, even if the key is malformed. Undefined if the key is unknown or
 * deleted, or if its creator may no longer issue tokens.
 */
export async function readCredentials(
  { catalog, cipher }: AccessOptions,
  key: unknown,
): Promise<Credentials | undefined> {
  const id = isUuid(key) ? key : noKey;
  const { rows }: { rows: Found[] } = await catalog.knex.raw(statement, [id]);
  const [found] = rows;
  if (!found || !authorizationTypes.some((type) => type === found.type)) return undefined;
  const {
    user,
    standing,
    issuer,
    issuerStanding,
    setter,
    setterStanding,
    version,
    sizeBytes,
    lacksFactor,
    ofOrganization,
    ...columns
  } = found;
  const isBounded = isRestricted(found.type);
  const isMadeByOwner =
    issuerStanding?.flagOwn === true && issuerStanding.organization_id === standing.organization_id;
  // A pair with which people narrow themselves has at most the rights that they have anyway.
  const isOfMaker = found.type === "temporary" && issuer?.id === user.id;
  if (isBounded && !isMadeByOwner && !isOfMaker) return undefined;
  const opened = openSealed("authorization", sealedMembers, columns, cipher);
  const row = refuseLost("authorization", {
    ...opened,
    id: String(columns["id"]),
  }) as ResourceRow<"authorization">;
  const interval = row.inactivity_interval ?? 0;
  const used = row.last_used_at ?? row.created_at;
  return {
    principal: principalOf(row, {
      user,
      standing,
      issuer,
      issuerStanding,
      setter,
      setterStanding,
      own: ownOverridesOf(user, cipher),
      issuerOwn: issuer ? ownOverridesOf(issuer, cipher) : undefined,
    }),
    tokenHash: found.token_hash,
    sources: allowedSources(row.allowed_origins, row.allowed_addresses, ofOrganization),
    expiresAt: row.expiry.getTime(),
    inactivityMs: interval > 0 ? interval * 1000 : Infinity,
    lastUsedAt: used.getTime(),
    version: String(version),
    sizeBytes,
    lacksFactor,
  };
}
