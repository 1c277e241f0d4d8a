import type { Credentials } from "../../../plugins/protocol/index.ts";
import type { StoreOptions } from "./storeOptions.ts";

/** The database users of a store. */
export interface StoreCredentials {
  /** Users for writing, one for each server. The first server answers queries. */
  readonly writers: readonly Credentials[];
  /** User for queries on the first server. */
  readonly reader: Credentials;
}

/** Returns the users of a store from its settings. */
export function storeCredentials({ url, database, reader }: StoreOptions): StoreCredentials {
  // A comma separates two servers only if a URL follows, because passwords may contain commas.
  const urls = url.trim().split(/,(?=https?:\/\/)/);
  const writers = urls.map((each) => credentialsOf(each, database));
  const [first = credentialsOf(url, database)] = writers;
  if (reader === undefined) return { writers, reader: first };
  const [key = "", ...rest] = reader.split(":");
  return { writers, reader: { ...first, key, token: rest.join(":") } };
}

function credentialsOf(url: string, database: string): Credentials {
  const { protocol, host, username, password } = new URL(url);
  // `URL` drops the ports 80 and 443, which are not ClickHouse's defaults.
  const written = /^[^/]*\/\/(?:[^/]*@)?[^/]*:(\d+)\/?$/.exec(url)?.[1];
  const properties = { scope: database, ...(written !== undefined && { port: written }) };
  return {
    host: `${protocol}//${host}`,
    properties,
    ...(username !== "" && { key: decodeURIComponent(username) }),
    ...(password !== "" && { token: decodeURIComponent(password) }),
  };
}
