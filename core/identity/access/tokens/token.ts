import { createHash, randomBytes } from "node:crypto";

/**
 * Returns the stored form of a token, a plain hash. Tokens are 256 random bits, so they cannot be guessed from the
 * hash.
 */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Creates a token of 256 random bits. */
export function createToken(): string {
  return randomBytes(32).toString("base64url");
}

/** The expiry of a token that never expires. */
export const noExpiry = "9999-12-31T00:00:00.000Z";
