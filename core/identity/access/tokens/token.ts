import { hash, randomBytes } from "node:crypto";

/**
 * Returns the stored form of a token: its SHA-256 hash. Tokens are 256 random bits, so they cannot be guessed from the
 * hash.
 */
export function hashToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

/** Creates a token: 256 random bits, as a base64url string of 43 characters. */
export function createToken(): string {
  return randomBytes(32).toString("base64url");
}

/** The expiry that is stored for a token that never expires. */
export const noExpiry = "9999-12-31T00:00:00.000Z";
