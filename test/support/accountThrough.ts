import type { Forwarded } from "./forwardSocket.ts";
import type { PostgresDatabase } from "./postgresDatabase.ts";

/** Returns the properties of an account that connects to a test database through a forwarded port. */
export function accountThrough(forwarded: Forwarded, { credentials }: PostgresDatabase) {
  const { key, token, properties } = credentials;
  return {
    provider: "postgresql",
    name: "trips",
    host: forwarded.host,
    port: String(forwarded.port),
    scope: properties["scope"],
    identifier: key,
    token,
    properties: { ssl: "disable" },
  };
}
