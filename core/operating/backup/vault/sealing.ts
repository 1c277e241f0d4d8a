import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from "node:crypto";
import { promisify } from "node:util";

/** How a destination is encrypted: the costs and the salt of its key, and a check value for the passphrase. */
export interface Encryption {
  readonly kind: "scrypt";
  /** The scrypt cost (RFC 7914). */
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
  /** The salt: 16 bytes, in base64. */
  readonly salt: string;
  /** The check value: 32 bytes that are derived from the key, in base64. */
  readonly check: string;
}

/** Encrypts and names the content of a destination. It runs on the calling thread, which has nothing else to do. */
export interface Sealing {
  /** Encrypts bytes, which are passed in parts. Returns the parts to store one after another. */
  seal(name: string, parts: readonly Uint8Array[]): readonly Uint8Array[];
  /**
   * Decrypts bytes.
   * @throws {Error} if the bytes were not sealed under this name, or were changed
   */
  open(name: string, bytes: Uint8Array): Uint8Array;
  /** Returns a hexadecimal digest that reveals nothing without the key. */
  digest(bytes: Uint8Array): string;
}

const derive = promisify<string, Uint8Array, number, object, Buffer>(scrypt);
const leastLength = 12;
const keyBytes = 32;
const cipher = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;
/**
 * The scrypt costs of new destinations: about a tenth of a second and 128 MiB, as OWASP's Password Storage Cheat Sheet
 * recommends.
 */
const costs = { cost: 2 ** 17, blockSize: 8, parallelization: 1 };
const mostMemoryBytes = 2 ** 28;

/**
 * Creates the encryption of a new destination.
 * @throws {Error} if the passphrase is too short
 */
export async function createEncryption(passphrase: string): Promise<Encryption> {
  if (passphrase.length < leastLength)
    throw new Error(
      `MANIFOLD_BACKUP_PASSPHRASE must have at least ${leastLength} characters; create one with \`openssl rand -base64 32\``,
    );
  const salt = randomBytes(16).toString("base64");
  const { check } = await deriveKeys(passphrase, { ...costs, salt });
  return { kind: "scrypt", ...costs, salt, check: check.toString("base64") };
}

/**
 * Opens the sealing of a destination.
 * @throws {Error} if the passphrase is wrong
 */
export async function openSealing(passphrase: string, encryption: Encryption): Promise<Sealing> {
  const { dataKey, nameKey, check } = await deriveKeys(passphrase, encryption);
  const expected = Buffer.from(encryption.check, "base64");
  if (expected.length !== check.length || !timingSafeEqual(expected, check))
    throw new Error("MANIFOLD_BACKUP_PASSPHRASE is not the passphrase of this destination");
  // The name is authenticated, so that an object cannot be opened in place of another object of the destination.
  const nameBytes = (name: string) => new TextEncoder().encode(name);
  return {
    seal(name, parts) {
      const nonce = randomBytes(nonceBytes);
      const sealing = createCipheriv(cipher, dataKey, nonce).setAAD(nameBytes(name));
      const sealed = parts.map((part) => sealing.update(part));
      return [nonce, ...sealed, sealing.final(), sealing.getAuthTag()];
    },
    open(name, bytes) {
      try {
        const opening = createDecipheriv(cipher, dataKey, bytes.subarray(0, nonceBytes), {
          authTagLength: tagBytes,
        })
          .setAAD(nameBytes(name))
          .setAuthTag(bytes.subarray(-tagBytes));
        const opened = opening.update(bytes.subarray(nonceBytes, -tagBytes));
        // Decrypted bytes must not be used before the authentication tag has been checked.
        opening.final();
        return opened;
      } catch (cause) {
        throw new Error(
          `${name} is damaged: it cannot be decrypted with the key of the destination`,
          {
            cause,
          },
        );
      }
    },
    digest: (bytes) => createHmac("sha256", nameKey).update(bytes).digest("hex"),
  };
}

async function deriveKeys(
  passphrase: string,
  { cost, blockSize, parallelization, salt }: Omit<Encryption, "kind" | "check">,
) {
  const root = await derive(passphrase, Buffer.from(salt, "base64"), keyBytes, {
    N: cost,
    r: blockSize,
    p: parallelization,
    maxmem: mostMemoryBytes,
  });
  const keyOf = (use: string) => Buffer.from(hkdfSync("sha256", root, "", use, keyBytes));
  return {
    dataKey: keyOf("manifold backup data"),
    nameKey: keyOf("manifold backup names"),
    check: keyOf("manifold backup check"),
  };
}
