import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import type { Knex } from "knex";
import { ApiError } from "../../base/index.ts";
import { createWaits, forgetFailures, usualTries } from "../factors/index.ts";
import { hashInQueue } from "./hashingQueue.ts";
import { forgetDevices } from "./knownDevices.ts";
import { refuseWeakPassword } from "./refuseWeakPassword.ts";

/** Minimum and maximum number of characters of a password. */
export const passwordLengths = { least: 10, most: 200 };

/** Returns an e-mail address in the form in which addresses are compared. */
export function comparableEmail(email: string): string {
  return email.normalize("NFKC").toLowerCase();
}

/**
 * Number of scrypt passes in each stage. A pass uses 32 MiB (N = 2^15, r = 8). Each stage hashes the result of the
 * previous stage. A sign-in always computes all stages, even if the stored hash has fewer. Together the stages make the
 * three passes that OWASP recommends (Password Storage Cheat Sheet: N = 2^15, r = 8, p = 3). To require more passes,
 * append a stage.
 */
const stages = [1, 2];

/** The hashes of a password, one per stage. The last hash is stored. */
export type PasswordHashes = readonly Buffer[];

/** Hashes a password with scrypt. Takes about 240 ms and 32 MiB, and does not block the main thread. */
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

/** A stored hash, and the number of stages that computed it. */
export interface StoredHash {
  readonly hash: Buffer;
  readonly stage_count: number;
}

/** Returns whether a password matches a stored hash, in constant time. */
export function isHashOf(
  { hash, stage_count: count }: StoredHash,
  hashes: PasswordHashes,
): boolean {
  const given = hashes[count - 1];
  return given !== undefined && given.length === hash.length && timingSafeEqual(given, hash);
}

/** Returns the hash of the last stage, as it is stored. */
export function storedForm(hashes: PasswordHashes): StoredHash {
  const hash = hashes.at(-1);
  if (!hash) throw new TypeError("a password must have at least one stage");
  return { hash, stage_count: hashes.length };
}

/**
 * Holds a lock until the transaction ends. For one e-mail address, the lock serializes changes of passwords, and starts
 * of sessions that use a password.
 */
export async function lockPassword(email: string, transaction: Knex.Transaction): Promise<void> {
  await transaction.raw("select pg_advisory_xact_lock(hashtextextended(?, 0))", [
    `password ${comparableEmail(email)}`,
  ]);
}

/**
 * Stores a user's password, or removes it if null. Revokes all sessions of the old password, and forgets the user's
 * known devices and wrong guesses. Users with the same e-mail address, who may be in different organizations, share a
 * salt, so that a sign-in computes only one hash.
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
 * Refuses users who change their own password without sending the current one. Computes one hash if the user has a
 * password. `knex` counts wrong passwords outside the transaction, because a wrong password rolls the transaction back.
 * Someone with a stolen session therefore cannot guess the password faster than a stranger can.
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
    throw new ApiError("MEMBER_MISSING", [
      member,
      "the user has a password; enter the current one to change it",
    ]);
  const waits = createWaits({ knex, tries: usualTries });
  const attempt = await waits.countAttempt({ kind: "old password", userId });
  const hashes = await hashInQueue(() => hashPassword(given, stored.salt), true);
  if (!isHashOf(stored, hashes))
    throw new ApiError("MEMBER_INVALID", [member, "it is not the current password of the user"]);
  await attempt.passed();
}

/**
 * Refuses a change of a user's e-mail address that does not include the password, because the password is stored under
 * the address.
 * @throws {ApiError} MEMBER_MISSING
 */
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
      "the user signs in with this e-mail address and a password; to change the address, send the password too, or send null to remove the password",
    ]);
}
