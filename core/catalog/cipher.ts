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
  /** Eight characters that name the secret with which it seals and marks; nobody computes the secret from them. */
  readonly keyId: string;
  /** The keys of marks by the id of their secret: of the own secret, then of the others. */
  readonly markKeys: ReadonlyMap<string, Uint8Array>;
  /** Encrypts a text; the result opens with the same `context` only. */
  seal(text: string, context: string): string;
  /** @throws {SecretLost} */
  open(sealed: string, context: string): string;
  /** Encrypts with the own secret what another one sealed; undefined where that is so. @throws {SecretLost} */
  reseal(sealed: string, context: string): string | undefined;
  /**
   * Returns a mark that nobody makes without the secret: `v1.`, the id of the secret, and an HMAC-SHA-256 of the text.
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

/** Keys that were derived: hosts of one process share a secret, as hosts on one catalog do. */
const derived = new Map<string, Key>();
const mostDerived = 8;

function keyOf(secret: string): Key {
  const known = derived.get(secret);
  if (known) return known;
  const sealing = scryptSync(secret, "manifold catalog", 32);
  const marking = Buffer.from(hkdfSync("sha256", sealing, "", "manifold marks", 32));
  const id = createHash("sha256").update(marking).digest("hex").slice(0, 8);
  const key = { id, sealing, marking };
  if (derived.size >= mostDerived) derived.clear();
  derived.set(secret, key);
  return key;
}

/** Returns the id of the secret that sealed a text; undefined for one of a link, which names none. */
export function keyIdOf(sealed: string): string | undefined {
  return sealed.split(".")[2];
}

/** Returns the mark of a text that the secret of `id` makes; `key` is its key of marks. */
export function markWith(id: string, key: Uint8Array, text: string): string {
  return `${version}.${id}.${createHmac("sha256", key).update(text).digest("hex")}`;
}

/**
 * Makes the cipher of a host secret: AES-256-GCM, its key derived by scrypt once (about 50 ms a secret). It seals and
 * marks with `secret`, and opens what one of `others` sealed too: the secret before a change, or after it. A sealed
 * text is `v1.`, base64url of nonce, tag and cipher text, `.` and the id of the secret. Links leave the id out, and
 * then each secret is tried. Every call takes a fresh nonce.
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
      throw new Error(`a stored secret (${context}) has an unknown form`);
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
      `a stored secret (${context}) does not open; was MANIFOLD_SECRET changed?`,
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

/** Decrypts nonce, tag and cipher text. @throws {Error} when the key, the context or a bit is another one */
function opened(bytes: Buffer, context: string, key: Buffer): string {
  const body = bytes.subarray(nonceBytes + tagBytes);
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return decipher.update(body, undefined, "utf8") + decipher.final("utf8");
}
