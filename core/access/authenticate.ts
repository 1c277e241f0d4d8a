import { timingSafeEqual } from "node:crypto";
import type { Catalog } from "../catalog/index.ts";
import { ApiError } from "../errors.ts";
import { hashToken, isUuid } from "../resources/index.ts";
import type { Principal } from "./principal.ts";

interface Found {
  readonly id: string;
  readonly token_hash: Buffer;
  readonly isCurrent: boolean;
  readonly user_id: string;
  readonly name: string | null;
  readonly email: string;
  readonly organization_id: string;
  readonly flagEditor: boolean;
  readonly flagOwn: boolean;
}

const statement = `
  select a.id, a.token_hash, a.expiry > now() as "isCurrent", a.user_id, u.name, u.email,
         o.organization_id, o."flagEditor", o."flagOwn"
    from "authorization" a
    join "user" u on u.id = a.user_id
    join organization_user o on o.user_id = a.user_id
   where a.id = ?::uuid and a.type = 'api'`;

/** What an unknown key is compared with, so that it takes as long as a known one. No text has this hash. */
const noHash = Buffer.alloc(32);
const noKey = "00000000-0000-0000-0000-000000000000";

/**
 * Tells who makes a call by the `key` and `token` of its body. One SQL statement, whatever the body says;
 * tokens are compared in constant time.
 * @throws {ApiError} UNAUTHORIZED when they are missing, wrong, revoked or expired; never which
 */
export async function authenticate(
  { catalog }: { readonly catalog: Pick<Catalog, "knex"> },
  body: Readonly<Record<string, unknown>>,
): Promise<Principal> {
  const key = Object.hasOwn(body, "key") ? body["key"] : undefined;
  const token = Object.hasOwn(body, "token") ? body["token"] : undefined;
  const hash = hashToken(typeof token === "string" ? token : "");
  const { rows }: { rows: Found[] } = await catalog.knex.raw(statement, [
    isUuid(key) ? key : noKey,
  ]);
  const [found] = rows;
  const isEqual = timingSafeEqual(hash, found?.token_hash ?? noHash);
  if (!found || !isEqual || !found.isCurrent || typeof token !== "string")
    throw new ApiError("UNAUTHORIZED");
  return {
    authorizationId: found.id,
    authorizationType: "api",
    userId: found.user_id,
    organizationId: found.organization_id,
    organizationRole: found.flagOwn ? "owner" : found.flagEditor ? "editor" : "member",
    name: found.name ?? "",
    email: found.email,
  };
}
