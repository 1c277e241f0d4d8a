import { randomBytes } from "node:crypto";
import type { Cipher } from "../../catalog/index.ts";
import { isObject } from "../../base/index.ts";

/** A sign-on that has begun: what must come back with its end, from the browser alone. */
export interface Attempt {
  readonly configId: string;
  readonly state: string;
  readonly nonce: string;
  /** The verifier of PKCE, whose hash the provider has. */
  readonly verifier: string;
  /** The path at this host to which the browser goes afterwards. */
  readonly returnTo: string;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
}

/** How long a person may take at the provider. */
export const attemptMs = 600_000;

const context = "attempt of a sign-on";
const secret = () => randomBytes(32).toString("base64url");

/** Makes an attempt with fresh secrets. */
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

/** Writes an attempt as a cookie that only this host, or one with its secret, reads. */
export function sealAttempt(attempt: Attempt, cipher: Cipher): string {
  return cipher.seal(JSON.stringify(attempt), context);
}

/** Reads the cookie of an attempt; undefined for one that this host did not write, or that has ended. */
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

/** Anyone may write a cookie: one that does not open, for whatever reason, is none. */
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

/** Returns a path of this host, `/` for anything else that a link may say. */
export function pathAtHost(given: string | undefined): string {
  const isPath = given !== undefined && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]{0,1999}$/.test(given);
  return isPath ? given : "/";
}
