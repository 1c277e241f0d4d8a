import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import type { Knex } from "knex";
import { ApiError } from "../errors.ts";

/** The form in which e-mail addresses are compared. */
export function comparableEmail(email: string): string {
  return email.normalize("NFKC").toLowerCase();
}

/** Hashes a password by scrypt: about 80 ms and 32 MiB, outside of the main thread. */
export function hashPassword(given: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 };
    scrypt(given.normalize("NFKC"), salt, 32, cost, (failure, hash) =>
      failure ? reject(failure) : resolve(hash),
    );
  });
}

/** Has changes of the passwords of an e-mail address, and the sessions that they begin, wait for one another. */
export async function lockPassword(email: string, transaction: Knex.Transaction): Promise<void> {
  await transaction.raw("select pg_advisory_xact_lock(hashtextextended(?, 0))", [
    `password ${comparableEmail(email)}`,
  ]);
}

/**
 * Stores or (null) removes the password of a user, and ends all sessions that the former password began. Users with the
 * same e-mail address, who may be of different organizations, have one salt, so that signing in takes one hash whoever
 * is meant.
 */
export async function storePassword(
  user: { readonly id: string; readonly email: string },
  given: string | null,
  keptAuthorizationId: string,
  transaction: Knex.Transaction,
): Promise<void> {
  const email = comparableEmail(user.email);
  await lockPassword(email, transaction);
  await transaction("authorization")
    .where({ user_id: user.id, type: "login" })
    .whereNot({ id: keptAuthorizationId })
    .delete();
  if (given === null) {
    await transaction("user_password").where({ user_id: user.id }).delete();
    return;
  }
  const known: { salt: Buffer } | undefined = await transaction("user_password")
    .where({ email })
    .first("salt");
  const salt = known?.salt ?? randomBytes(16);
  const hash = await hashPassword(given, salt);
  await transaction("user_password")
    .insert({ user_id: user.id, email, salt, hash, updated_at: new Date() })
    .onConflict("user_id")
    .merge();
}

/**
 * Refuses a user who changes its own password without giving the one before. One hash, where there is a password.
 * @throws {ApiError} MEMBER_MISSING, MEMBER_INVALID
 */
export async function checkOldPassword(
  userId: string,
  given: unknown,
  transaction: Knex.Transaction,
): Promise<void> {
  const stored: { salt: Buffer; hash: Buffer } | undefined = await transaction("user_password")
    .where({ user_id: userId })
    .first("salt", "hash");
  if (!stored) return;
  const member = "properties.old_password";
  if (typeof given !== "string")
    throw new ApiError("MEMBER_MISSING", [member, "the user has a password; give it to change it"]);
  const hash = await hashPassword(given, stored.salt);
  if (!timingSafeEqual(hash, stored.hash))
    throw new ApiError("MEMBER_INVALID", [member, "it is not the password of the user"]);
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
