import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import type { Knex } from "knex";
import { ApiError } from "../../base/index.ts";
import { createWaits, forgetFailures, usualTries } from "../factors/index.ts";
import { hashInQueue } from "./hashingQueue.ts";
import { forgetDevices } from "./knownDevices.ts";
import { refuseWeakPassword } from "./refuseWeakPassword.ts";

/** The form in which e-mail addresses are compared. */
export function comparableEmail(email: string): string {
  return email.normalize("NFKC").toLowerCase();
}

/**
 * Passes of scrypt in each stage, of 32 MiB (N = 2^15, r = 8). A stage hashes the hash of the stage before it, so that
 * all callers wait for all stages, also where an old hash is stored. The passes add up to the three that OWASP asks for
 * (Password Storage Cheat Sheet: N = 2^15, r = 8, p = 3). To ask for more, append a stage.
 */
const stages = [1, 2];

/** The hashes of a password, by stage; the last one is what is stored. */
export type PasswordHashes = readonly Buffer[];

/** Hashes a password by scrypt: about 240 ms and 32 MiB, outside of the main thread. */
export async function hashPassword(given: string, salt: Buffer): Promise<PasswordHashes> {
  const hashes: Buffer[] = [];
  let secret: string | Buffer = given.normalize("NFKC");
  for (const passes of stages) {
    secret = await stretch(secret, salt, passes);
    hashes.push(secret);
  }
  return hashes;
}

function stretch(secret: string | Buffer, salt: Buffer, passes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const cost = { N: 2 ** 15, r: 8, p: passes, maxmem: 64 * 2 ** 20 };
    scrypt(secret, salt, 32, cost, (failure, hash) => (failure ? reject(failure) : resolve(hash)));
  });
}

/** A stored hash, and the stages that it passed. */
export interface StoredHash {
  readonly hash: Buffer;
  readonly stage_count: number;
}

/** Returns whether a password has a stored hash, in constant time. */
export function isHashOf(
  { hash, stage_count: count }: StoredHash,
  hashes: PasswordHashes,
): boolean {
  const given = hashes[count - 1];
  return given !== undefined && given.length === hash.length && timingSafeEqual(given, hash);
}

/** The form in which hashes are stored. */
export function storedForm(hashes: PasswordHashes): StoredHash {
  const hash = hashes.at(-1);
  if (!hash) throw new TypeError("a password has at least one stage");
  return { hash, stage_count: hashes.length };
}

/** Has changes of the passwords of an e-mail address, and the sessions that they begin, wait for one another. */
export async function lockPassword(email: string, transaction: Knex.Transaction): Promise<void> {
  await transaction.raw("select pg_advisory_xact_lock(hashtextextended(?, 0))", [
    `password ${comparableEmail(email)}`,
  ]);
}

/**
 * Stores or (null) removes the password of a user, ends all sessions of the old password, and forgets known devices and
 * wrong guesses. Users with the same e-mail address, who may be of different organizations, have one salt,
 * so that signing in takes one hash whoever is meant.
 * @throws {ApiError} MEMBER_INVALID for a password that is easy to guess; HOST_BUSY
 */
export async function storePassword(
  user: { readonly id: string; readonly email: string; readonly name?: string | null | undefined },
  given: string | null,
  keptAuthorizationId: string,
  transaction: Knex.Transaction,
): Promise<void> {
  const email = comparableEmail(user.email);
  if (given !== null) await refuseWeakPassword(given, user);
  await lockPassword(email, transaction);
  await transaction("authorization")
    .where({ user_id: user.id, type: "login" })
    .whereNot({ id: keptAuthorizationId })
    .delete();
  await forgetDevices(user.id, transaction);
  await forgetFailures(
    [
      { kind: "password", email },
      { kind: "old password", userId: user.id },
    ],
    transaction,
  );
  if (given === null) {
    await transaction("user_password").where({ user_id: user.id }).delete();
    return;
  }
  const known: { salt: Buffer } | undefined = await transaction("user_password")
    .where({ email })
    .first("salt");
  const salt = known?.salt ?? randomBytes(16);
  const hashes = await hashInQueue(() => hashPassword(given, salt), true);
  const stored = storedForm(hashes);
  await transaction("user_password")
    .insert({ user_id: user.id, email, salt, ...stored, updated_at: new Date() })
    .onConflict("user_id")
    .merge();
}

/**
 * Refuses a user who changes its own password without giving the one before. One hash, where there is a password.
 * `knex` counts wrong ones outside the transaction, because a wrong one rolls it back. A stolen session guesses as
 * slowly as a stranger.
 * @throws {ApiError} MEMBER_MISSING, MEMBER_INVALID, SIGN_INS_TOO_MANY, HOST_BUSY
 */
export async function checkOldPassword(
  userId: string,
  given: unknown,
  transaction: Knex.Transaction,
  knex: Knex,
): Promise<void> {
  const stored: (StoredHash & { salt: Buffer }) | undefined = await transaction("user_password")
    .where({ user_id: userId })
    .first("salt", "hash", "stage_count");
  if (!stored) return;
  const member = "properties.old_password";
  if (typeof given !== "string")
    throw new ApiError("MEMBER_MISSING", [member, "the user has a password; give it to change it"]);
  const waits = createWaits({ knex, tries: usualTries });
  const attempt = await waits.admit({ kind: "old password", userId });
  const hashes = await hashInQueue(() => hashPassword(given, stored.salt), true);
  if (!isHashOf(stored, hashes))
    throw new ApiError("MEMBER_INVALID", [member, "it is not the password of the user"]);
  await attempt.passed();
}

/** Refuses to change the e-mail address of a password alone: the two go together. @throws {ApiError} MEMBER_MISSING */
export async function refuseEmailAlone(
  user: { readonly id: string; readonly email: string },
  transaction: Knex.Transaction,
): Promise<void> {
  const stored: { email: string } | undefined = await transaction("user_password")
    .where({ user_id: user.id })
    .first("email");
  if (stored && stored.email !== comparableEmail(user.email))
    throw new ApiError("MEMBER_MISSING", [
      "properties.password",
      "the user signs in with the e-mail address and a password: give the password with the new address, or null to remove it",
    ]);
}
