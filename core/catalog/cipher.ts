import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  scrypt,
  scryptSync,
} from "node:crypto";
import { promisify } from "node:util";

/** A sealed string that cannot be decrypted: it was altered, or sealed for another context or with another secret. */
export class SecretLost extends Error {
  override readonly name = "SecretLost";
}

/** Encrypts strings for the catalog. */
export interface Cipher {
  /**
   * Eight characters that identify the secret with which the cipher seals and signs. The secret cannot be computed from
   * them.
   */
  readonly keyId: string;
  /** Signing keys by the id of the secret: first the host's secret, then the others. */
  readonly markKeys: ReadonlyMap<string, Uint8Array>;
  /** Encrypts a string. Decrypting it requires the same `context`. */
  seal(text: string, context: string): string;
  /**
   * Decrypts a string that `seal` has encrypted.
   * @throws {SecretLost}
   */
  open(sealed: string, context: string): string;
  /**
   * Encrypts a string again with the host's secret if it was sealed with another secret; otherwise returns undefined.
   * @throws {SecretLost}
   */
  reseal(sealed: string, context: string): string | undefined;
  /**
   * Returns a signature that only the secret can produce: `v1.`, the id of the secret, and an HMAC-SHA-256 of the
   * string.
   */
  mark(text: string): string;
}

const version = "v1";
const nonceBytes = 12;
const tagBytes = 16;

interface Key {
  readonly id: string;
  readonly sealing: Buffer;
  readonly marking: Buffer;
}

/** Cache of derived keys, because several hosts in one process may share a secret. */
const derived = new Map<string, Key>();
const mostDerived = 8;

const salt = "manifold catalog";
const keyBytes = 32;

/** Derives the key of a secret in another thread, so that `createCipher` then finds it in the cache. */
export async function deriveKey(secret: string): Promise<void> {
  if (derived.has(secret)) return;
  const derive = promisify<string, string, number, object, Buffer>(scrypt);
  keep(secret, await derive(secret, salt, keyBytes, {}));
}

function keyOf(secret: string): Key {
  return derived.get(secret) ?? keep(secret, scryptSync(secret, salt, keyBytes));
}

function keep(secret: string, sealing: Buffer): Key {
  const marking = Buffer.from(hkdfSync("sha256", sealing, "", "manifold marks", 32));
  const id = createHash("sha256").update(marking).digest("hex").slice(0, 8);
  const key = { id, sealing, marking };
  if (derived.size >= mostDerived) derived.clear();
  derived.set(secret, key);
  return key;
}

/**
 * Returns the id of the secret with which a string was sealed; undefined for a string in a link, which does not contain
 * the id.
 */
export function keyIdOf(sealed: string): string | undefined {
  return sealed.split(".")[2];
}

/** Returns the signature of a string: `v1.`, the id of the secret, and an HMAC-SHA-256 with the signing key `key`. */
export function markWith(id: string, key: Uint8Array, text: string): string {
  return `${version}.${id}.${createHmac("sha256", key).update(text).digest("hex")}`;
}

/**
 * Creates the cipher of a host secret: AES-256-GCM, with a key derived once by scrypt (about 50 ms per secret). It
 * seals and signs with `secret`. It can also open strings that were sealed with one of `others`, which are former or
 * future secrets. A sealed string is `v1.`, base64url of nonce, tag and ciphertext, `.` and the id of the secret. A
 * sealed string in a link omits the id, so opening it tries every secret. Every call of `seal` uses a new nonce.
 */
export function createCipher(secret: string, others: readonly string[] = []): Cipher {
  for (const each of [secret, ...others])
    if (each.length < 16)
      throw new Error("the host secret (MANIFOLD_SECRET) must have at least 16 characters");
  const own = keyOf(secret);
  const keys = new Map([own, ...others.map(keyOf)].map((key) => [key.id, key]));
  const seal = (text: string, context: string): string => {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv("aes-256-gcm", own.sealing, nonce).setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    const bytes = Buffer.concat([nonce, cipher.getAuthTag(), body]);
    return `${version}.${bytes.toString("base64url")}.${own.id}`;
  };
  const open = (sealed: string, context: string): string => {
    const [form, text = "", id] = sealed.split(".");
    const bytes = Buffer.from(text, "base64url");
    if (form !== version || bytes.length < nonceBytes + tagBytes)
      throw new Error(`a stored secret (${context}) has an unknown format`);
    const named = id === undefined ? undefined : keys.get(id);
    const tried = id === undefined ? [...keys.values()] : named ? [named] : [];
    const causes: unknown[] = [];
    for (const { sealing } of tried)
      try {
        return opened(bytes, context, sealing);
      } catch (cause) {
        causes.push(cause);
      }
    throw new SecretLost(
      `a stored secret (${context}) cannot be decrypted; check whether MANIFOLD_SECRET was changed`,
      { cause: causes[0] },
    );
  };
  return {
    keyId: own.id,
    markKeys: new Map([...keys].map(([id, { marking }]) => [id, marking])),
    mark: (text) => markWith(own.id, own.marking, text),
    seal,
    open,
    reseal(sealed, context) {
      if (keyIdOf(sealed) === own.id) return undefined;
      return seal(open(sealed, context), context);
    },
  };
}

/**
 * Decrypts bytes that consist of a nonce, a tag and a ciphertext.
 * @throws {Error} if the key, the context or a single bit differs
 */
function opened(bytes: Buffer, context: string, key: Buffer): string {
  const body = bytes.subarray(nonceBytes + tagBytes);
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return decipher.update(body, undefined, "utf8") + decipher.final("utf8");
}
