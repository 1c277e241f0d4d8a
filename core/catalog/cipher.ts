import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  scryptSync,
} from "node:crypto";

/** A sealed text that does not open: it was altered, or sealed for another context or with another secret. */
export class SecretLost extends Error {
  override readonly name = "SecretLost";
}

/** Encrypts texts for the catalog. */
export interface Cipher {
  /** Encrypts a text; the result opens with the same `context` only. */
  seal(text: string, context: string): string;
  /** @throws {SecretLost} */
  open(sealed: string, context: string): string;
  /**
   * Returns a mark that nobody makes without the secret: `v1.`, eight characters that name the secret, and an
   * HMAC-SHA-256 of the text.
   */
  mark(text: string): string;
}

const version = "v1";
const nonceBytes = 12;
const tagBytes = 16;

/** The key that was derived last: hosts of one process share a secret, as hosts on one catalog do. */
let last: { readonly secret: string; readonly key: Buffer } | undefined;

function keyOf(secret: string): Buffer {
  if (last?.secret !== secret) last = { secret, key: scryptSync(secret, "manifold catalog", 32) };
  return last.key;
}

/**
 * Makes the cipher of a host secret: AES-256-GCM, its key derived by scrypt once (about 50 ms). A
 * sealed text is `v1.` and base64url of nonce, tag and cipher text; every call takes a fresh nonce.
 */
export function createCipher(secret: string): Cipher {
  if (secret.length < 16)
    throw new Error("the host secret (MANIFOLD_SECRET) must have at least 16 characters");
  const key = keyOf(secret);
  const markKey = Buffer.from(hkdfSync("sha256", key, "", "manifold marks", 32));
  const markName = createHash("sha256").update(markKey).digest("hex").slice(0, 8);
  return {
    mark: (text) =>
      `${version}.${markName}.${createHmac("sha256", markKey).update(text).digest("hex")}`,
    seal(text, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return `${version}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url")}`;
    },
    open(sealed, context) {
      const [form, text = ""] = sealed.split(".");
      const bytes = Buffer.from(text, "base64url");
      if (form !== version || bytes.length < nonceBytes + tagBytes)
        throw new Error(`a stored secret (${context}) has an unknown form`);
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes), {
          authTagLength: tagBytes,
        })
          .setAAD(Buffer.from(context))
          .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
        return (
          decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, "utf8") +
          decipher.final("utf8")
        );
      } catch (cause) {
        throw new SecretLost(
          `a stored secret (${context}) does not open; was MANIFOLD_SECRET changed?`,
          { cause },
        );
      }
    },
  };
}
