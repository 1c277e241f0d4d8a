import { createHash, randomBytes } from "node:crypto";
import type { Knex } from "knex";

const codeCount = 10;
/** Letters and digits that people can easily distinguish. */
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";
const letterCount = 20;

/** Creates a code of 99 random bits, in groups of five characters. */
function createRecoveryCode(): string {
  const letters: string[] = [];
  while (letters.length < letterCount)
    for (const byte of randomBytes(letterCount)) {
      const letter = byte < alphabet.length * 8 ? alphabet[byte % alphabet.length] : undefined;
      if (letter !== undefined && letters.length < letterCount) letters.push(letter);
    }
  return (letters.join("").match(/.{5}/g) ?? []).join("-");
}

/** Returns the stored form of a code. A single hash is enough, because 99 random bits cannot be guessed. */
function hashRecoveryCode(code: string): Buffer {
  const plain = code.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  return createHash("sha256").update(plain).digest();
}

/** Replaces a user's recovery codes with ten new ones and returns them. They cannot be shown again. */
export async function replaceRecoveryCodes(
  userId: string,
  transaction: Knex.Transaction,
): Promise<readonly string[]> {
  const codes = Array.from({ length: codeCount }, createRecoveryCode);
  await transaction("recovery_code").where({ user_id: userId }).delete();
  await transaction("recovery_code").insert(
    codes.map((code) => ({ user_id: userId, hash: hashRecoveryCode(code) })),
  );
  return codes;
}

/**
 * Returns the users who have a password, the given e-mail address and the given recovery code. The code remains valid.
 */
export async function recoveryCodeUsers(
  email: string,
  code: string,
  knex: Knex,
): Promise<readonly string[]> {
  return knex("recovery_code as c")
    .join("user_password as p", "p.user_id", "c.user_id")
    .where({ "p.email": email, "c.hash": hashRecoveryCode(code) })
    .orderBy("c.user_id")
    .pluck("c.user_id");
}

/**
 * Marks a recovery code as used. Returns whether the code was an unused code of the user. Of two concurrent calls, only
 * one succeeds.
 */
export async function takeRecoveryCode(
  userId: string,
  code: string,
  transaction: Knex.Transaction,
): Promise<boolean> {
  const taken: number = await transaction("recovery_code")
    .where({ user_id: userId, hash: hashRecoveryCode(code) })
    .delete();
  return taken === 1;
}
