import { randomBytes } from "node:crypto";
import type { Cipher } from "../../catalog/index.ts";
import { isObject } from "../../base/index.ts";

/**
 * A sign-on in progress, stored in a cookie. The browser that returns with the provider's response must send this
 * cookie.
 */
export interface Attempt {
  readonly configId: string;
  readonly state: string;
  readonly nonce: string;
  /** The PKCE verifier. The provider receives only its hash. */
  readonly verifier: string;
  /** The path on this host to which the browser returns after the sign-on. */
  readonly returnTo: string;
  /** When the attempt expires, in milliseconds since 1970. */
  readonly endsAt: number;
}

/** How long a person has to sign on at the provider, in milliseconds. */
export const attemptMs = 600_000;

const context = "attempt of a sign-on";
const secret = () => randomBytes(32).toString("base64url");

/** Creates an attempt with new secrets. */
export function createAttempt(configId: string, returnTo: string, now: number): Attempt {
  return {
    configId,
    state: secret(),
    nonce: secret(),
    verifier: secret(),
    returnTo,
    endsAt: now + attemptMs,
  };
}

/** Encrypts an attempt as a cookie value that only hosts with the same secret can read. */
export function sealAttempt(attempt: Attempt, cipher: Cipher): string {
  return cipher.seal(JSON.stringify(attempt), context);
}

/**
 * Opens the cookie of an attempt. Undefined if the cookie has expired or was not written by a host with the same
 * secret.
 */
export function openAttempt(
  sealed: string | undefined,
  cipher: Cipher,
  now: number,
): Attempt | undefined {
  const text = sealed === undefined ? undefined : unsealed(sealed, cipher);
  if (text === undefined) return undefined;
  const read: unknown = JSON.parse(text);
  return isAttempt(read) && now < read.endsAt ? read : undefined;
}

/**
 * Decrypts a cookie. Returns undefined whenever decrypting fails, whatever the reason, because anyone may send a
 * cookie.
 */
function unsealed(sealed: string, cipher: Cipher): string | undefined {
  try {
    return cipher.open(sealed, context);
  } catch {
    return undefined;
  }
}

function isAttempt(value: unknown): value is Attempt {
  const texts = ["configId", "state", "nonce", "verifier", "returnTo"];
  return (
    isObject<"endsAt">(value) &&
    texts.every((member) => typeof value[member] === "string") &&
    typeof value.endsAt === "number"
  );
}

/** Returns the given value if it is a path of this host, and `/` otherwise. */
export function pathAtHost(given: string | undefined): string {
  const isPath = given !== undefined && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]{0,1999}$/.test(given);
  return isPath ? given : "/";
}
