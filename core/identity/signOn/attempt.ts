import { randomBytes } from "node:crypto";
import type { Cipher } from "../../catalog/index.ts";
import { isObject } from "../../base/index.ts";

/** A sign-on in progress: the values that must come back from the same browser. */
export interface Attempt {
  readonly configId: string;
  readonly state: string;
  readonly nonce: string;
  /** The PKCE verifier, whose hash the provider knows. */
  readonly verifier: string;
  /** The path on this host to open afterwards. */
  readonly returnTo: string;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
}

/** Time limit for a person at the provider, in milliseconds. */
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

/** Encrypts an attempt as a cookie that only this host, or one with the same secret, can read. */
export function sealAttempt(attempt: Attempt, cipher: Cipher): string {
  return cipher.seal(JSON.stringify(attempt), context);
}

/** Opens the cookie of an attempt; undefined if this host did not write it, or it has expired. */
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

/** Anyone may write a cookie, so a cookie that cannot be decrypted is ignored, for any reason. */
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

/** Returns a path of this host, or `/` for any other value in a link. */
export function pathAtHost(given: string | undefined): string {
  const isPath = given !== undefined && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]{0,1999}$/.test(given);
  return isPath ? given : "/";
}
