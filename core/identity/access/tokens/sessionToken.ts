import { hash } from "node:crypto";

/** The content of a session cookie: the id of a token of type login, and its secret. */
export interface SessionToken {
  readonly id: string;
  readonly secret: string;
}

/**
 * Returns the stored form of a session's secret. It differs from the hash of tokens, so that a cookie cannot be used as
 * a token, and the token of a login pair cannot be used as a cookie.
 */
export function hashSession(secret: string): Buffer {
  return hash("sha512-256", secret, "buffer");
}

/** Returns the value of the session cookie: `<id>.<secret>`. */
export function presentSession({ id, secret }: SessionToken): string {
  return `${id}.${secret}`;
}

/** Parses the value of a session cookie, which may come from anyone. A malformed value has an empty id and secret. */
export function parseSession(value: string): SessionToken {
  const dot = value.indexOf(".");
  return dot < 0
    ? { id: "", secret: "" }
    : { id: value.slice(0, dot), secret: value.slice(dot + 1, dot + 201) };
}
