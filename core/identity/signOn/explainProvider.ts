import type { Knex } from "knex";
import type { Handler, Records } from "../../base/index.ts";
import { findOwned } from "./findOwned.ts";

export interface ExplainProviderOptions {
  readonly records: Pick<Records, "visible">;
  readonly knex: Knex;
  /** Returns the URL at which browsers and the provider reach the host. */
  readonly publicUrl: () => string;
}

/**
 * Creates the action `explain` of `ssoconfig`. It returns the URLs to register at the provider. It also counts users
 * who sign on with the config, sessions that would be revoked with it, and users and groups that the provider manages.
 * Executes one SQL statement.
 * @throws {ApiError} RECORD_NOT_FOUND for callers who do not own the organization
 */
export function explainProvider({ records, knex, publicUrl }: ExplainProviderOptions): Handler {
  return async ({ body, principal }) => {
    const { id } = await findOwned(records, body.id, principal);
    const base = publicUrl().replace(/\/+$/, "");
    const { rows }: { rows: readonly Readonly<Record<string, number>>[] } = await knex.raw(
      `select (select count(distinct user_id) from sign_on_identity where ssoconfig_id = :id)::int as user_count,
              (select count(*) from "authorization" where ssoconfig_id = :id and expiry > now())::int as session_count,
              (select count(*) from provisioned_user where ssoconfig_id = :id)::int as provisioned_user_count,
              (select count(*) from provisioned_group where ssoconfig_id = :id)::int as provisioned_group_count`,
      { id },
    );
    return {
      id,
      sign_on_url: `${base}/auth/sso/${id}`,
      redirect_url: `${base}/auth/sso/${id}/callback`,
      scim_url: `${base}/scim/v2/${id}`,
      ...rows[0],
    };
  };
}
