import type { Credentials } from "../../../plugins/protocol/index.ts";
import type { StoreOptions } from "./storeOptions.ts";

/** The users of a store. */
export interface StoreCredentials {
  /** At each server; the first one answers questions. */
  readonly writers: readonly Credentials[];
  /** At the first server. */
  readonly reader: Credentials;
}

/** Reads the users of a store from its settings. */
export function storeCredentials({ url, database, reader }: StoreOptions): StoreCredentials {
  // A password may hold a comma.
  const urls = url.trim().split(/,(?=https?:\/\/)/);
  const writers = urls.map((each) => credentialsOf(each, database));
  const [first = credentialsOf(url, database)] = writers;
  if (reader === undefined) return { writers, reader: first };
  const [key = "", ...rest] = reader.split(":");
  return { writers, reader: { ...first, key, token: rest.join(":") } };
}

function credentialsOf(url: string, database: string): Credentials {
  const { protocol, host, username, password } = new URL(url);
  // A URL leaves out the ports 80 and 443, which are not those of ClickHouse.
  const written = /^[^/]*\/\/(?:[^/]*@)?[^/]*:(\d+)\/?$/.exec(url)?.[1];
  const properties = { scope: database, ...(written !== undefined && { port: written }) };
  return {
    host: `${protocol}//${host}`,
    properties,
    ...(username !== "" && { key: decodeURIComponent(username) }),
    ...(password !== "" && { token: decodeURIComponent(password) }),
  };
}
