import { hkdfSync, randomBytes, scrypt, timingSafeEqual, webcrypto } from "node:crypto";
import { promisify } from "node:util";

/** How a place is encrypted: the costs and the salt of its key, and a check of the passphrase. */
export interface Encryption {
  readonly kind: "scrypt";
  /** The costs of scrypt (RFC 7914). */
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
  /** 16 bytes, in base64. */
  readonly salt: string;
  /** 32 bytes that the key gives, in base64. */
  readonly check: string;
}

/** Encrypts and names what a place holds. */
export interface Sealing {
  seal(name: string, bytes: Uint8Array): Promise<Uint8Array>;
  /** @throws {Error} when the bytes are not what was sealed under the name */
  open(name: string, bytes: Uint8Array): Promise<Uint8Array>;
  /** A digest that says nothing to those without the key. */
  digest(bytes: Uint8Array): Promise<Uint8Array>;
}

type Bytes = Uint8Array<ArrayBuffer>;

const derive = promisify<string, Uint8Array, number, object, Buffer>(scrypt);
const leastLength = 12;
const keyBytes = 32;
const nonceBytes = 12;
/** Costs of about a tenth of a second and 128 MiB: OWASP's cheat sheet of password storage names them for scrypt. */
const costs = { cost: 2 ** 17, blockSize: 8, parallelization: 1 };
const mostMemoryBytes = 2 ** 28;

/** Makes the encryption of a new place. @throws {Error} when the passphrase is short */
export async function createEncryption(passphrase: string): Promise<Encryption> {
  if (passphrase.length < leastLength)
    throw new Error(
      `MANIFOLD_BACKUP_PASSPHRASE must have at least ${leastLength} characters; make one with \`openssl rand -base64 32\``,
    );
  const salt = randomBytes(16).toString("base64");
  const { check } = await deriveKeys(passphrase, { ...costs, salt });
  return { kind: "scrypt", ...costs, salt, check: check.toString("base64") };
}

/** Opens the sealing of a place. @throws {Error} when the passphrase is another one */
export async function openSealing(passphrase: string, encryption: Encryption): Promise<Sealing> {
  const { dataKey, nameKey, check } = await deriveKeys(passphrase, encryption);
  const expected = Buffer.from(encryption.check, "base64");
  if (expected.length !== check.length || !timingSafeEqual(expected, check))
    throw new Error("MANIFOLD_BACKUP_PASSPHRASE is not the passphrase of this place");
  const cipher = await webcrypto.subtle.importKey("raw", dataKey, "AES-GCM", false, [
    "encrypt",
    "decrypt",
  ]);
  const hmac = await webcrypto.subtle.importKey(
    "raw",
    nameKey,
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  const options = (name: string, iv: Bytes) => ({
    name: "AES-GCM",
    iv,
    // An object that was exchanged for another one of the place does not open.
    additionalData: new TextEncoder().encode(name),
  });
  return {
    async seal(name, bytes) {
      const nonce = new Uint8Array(randomBytes(nonceBytes));
      const sealed = await webcrypto.subtle.encrypt(options(name, nonce), cipher, own(bytes));
      return Buffer.concat([nonce, new Uint8Array(sealed)]);
    },
    async open(name, bytes) {
      try {
        const nonce = own(bytes.subarray(0, nonceBytes));
        const sealed = own(bytes.subarray(nonceBytes));
        return new Uint8Array(await webcrypto.subtle.decrypt(options(name, nonce), cipher, sealed));
      } catch (cause) {
        throw new Error(`${name} is damaged: it does not open with the key of the place`, {
          cause,
        });
      }
    },
    digest: async (bytes) => new Uint8Array(await webcrypto.subtle.sign("HMAC", hmac, own(bytes))),
  };
}

/** The same bytes as a view that is not of shared memory. */
export function own(bytes: Uint8Array): Bytes {
  return bytes.buffer instanceof ArrayBuffer
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
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
