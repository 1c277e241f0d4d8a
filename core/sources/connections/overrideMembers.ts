import type { AccountValues, ConnectionOverride } from "../../base/index.ts";

/**
 * Replaces members of an account with the members of a token's override. A plugin receives the database (the scope) and
 * the schema as properties.
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

/**
 * Replaces members of an account like `overrideMembers`, for a connector. A connector receives the database only as the
 * scope.
 */
export function overrideConnector(
  account: AccountValues,
  { database, ...override }: ConnectionOverride = {},
): AccountValues {
  const replaced = overrideMembers(account, override);
  return database === undefined ? replaced : { ...replaced, scope: database };
}
