import { createHash } from "node:crypto";
import type { Credentials } from "../protocol/index.ts";

const keys = new WeakMap<Credentials, string>();

/** Returns a key for credentials. Only equal credentials have the same key, and the key does not reveal them. */
export function credentialsKey(credentials: Credentials): string {
  const known = keys.get(credentials);
  if (known !== undefined) return known;
  const { host, key, token, properties } = credentials;
  const sorted = Object.entries(properties).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const text = JSON.stringify([host ?? null, key ?? null, token ?? null, sorted]);
  const digest = createHash("sha256").update(text).digest("base64url");
  keys.set(credentials, digest);
  return digest;
}
