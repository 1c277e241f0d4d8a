import type { AccountValues, ConnectionOverride } from "../../base/index.ts";

/**
 * Puts the members that a token carries in the place of the account's; a plugin reads database (which is the scope) and
 * schema as properties.
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

/** Like `overrideMembers`; a connector reads the database as the scope alone. */
export function overrideConnector(
  account: AccountValues,
  { database, ...override }: ConnectionOverride = {},
): AccountValues {
  const replaced = overrideMembers(account, override);
  return database === undefined ? replaced : { ...replaced, scope: database };
}
