import type { Credentials } from "../../../plugins/protocol/index.ts";
import type { StoreOptions } from "./storeOptions.ts";

/** The users of a store. */
export interface StoreCredentials {
  readonly writer: Credentials;
  readonly reader: Credentials;
}

/** Reads the users of a store from its settings. */
export function storeCredentials({ url, database, reader }: StoreOptions): StoreCredentials {
  const { protocol, host, username, password } = new URL(url);
  // A URL leaves out the ports 80 and 443, which are not those of ClickHouse.
  const written = /^[^/]*\/\/(?:[^/]*@)?[^/]*:(\d+)\/?$/.exec(url.trim())?.[1];
  const properties = { scope: database, ...(written !== undefined && { port: written }) };
  const writer = {
    host: `${protocol}//${host}`,
    properties,
    ...(username !== "" && { key: decodeURIComponent(username) }),
    ...(password !== "" && { token: decodeURIComponent(password) }),
  };
  if (reader === undefined) return { writer, reader: writer };
  const [key = "", ...rest] = reader.split(":");
  return { writer, reader: { ...writer, key, token: rest.join(":") } };
}
