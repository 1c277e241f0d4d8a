import type { AccountValues, ConnectionOverride } from "../../base/index.ts";

/**
 * Replaces an account's members with those of a token. A plugin reads the database (which is the scope) and the schema
 * as properties.
 */
export function overrideMembers(
  account: AccountValues,
  override: ConnectionOverride = {},
): AccountValues {
  const { host, user, password, database, schema, properties } = override;
  const named = {
    ...(database !== undefined && { database }),
    ...(schema !== undefined && { schema }),
  };
  return {
    ...account,
    ...(host !== undefined && { host }),
    ...(database !== undefined && { scope: database }),
    ...(user !== undefined && { identifier: user }),
    ...(password !== undefined && { token: password }),
    properties: { ...account.properties, ...named, ...properties },
  };
}

/** Like `overrideMembers`, for a connector. A connector reads the database only as the scope. */
export function overrideConnector(
  account: AccountValues,
  { database, ...override }: ConnectionOverride = {},
): AccountValues {
  const replaced = overrideMembers(account, override);
  return database === undefined ? replaced : { ...replaced, scope: database };
}
