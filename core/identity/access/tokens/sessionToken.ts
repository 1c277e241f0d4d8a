import { createHash } from "node:crypto";

/** The content of the cookie of a session. */
export interface SessionToken {
  readonly id: string;
  readonly secret: string;
}

/**
 * Returns the form in which the secret of a session is stored. The hash of tokens is another one, so that a
 * cookie is never the token of a call, and the token of a login pair never a cookie.
 */
export function hashSession(secret: string): Buffer {
  return createHash("sha512-256").update(secret).digest();
}

/** Writes the value of the cookie. */
export function presentSession({ id, secret }: SessionToken): string {
  return `${id}.${secret}`;
}

/** Reads the value of a cookie, which anyone may have written. */
export function parseSession(value: string): SessionToken {
  const place = value.indexOf(".");
  return place < 0
    ? { id: "", secret: "" }
    : { id: value.slice(0, place), secret: value.slice(place + 1, place + 201) };
}
