import { createHash } from "node:crypto";
import type { Knex } from "knex";
import { ApiError } from "../errors.ts";
import { comparableEmail } from "./password.ts";

/** How often sign-ins with an e-mail address may fail, from anywhere and at any host. */
export interface SignInLimit {
  /**
   * Counts a sign-in before its password is checked, so that guesses at the same time count too.
   * @throws {ApiError} SIGN_INS_TOO_MANY with Retry-After
   */
  admit(email: string): Promise<void>;
  /** Takes the count of a sign-in back, whose password was right. */
  passed(email: string): Promise<void>;
  /** Counts a failure after the password, such as a wrong code. */
  failed(email: string): Promise<void>;
}

export interface SignInLimitOptions {
  readonly knex: Knex;
  /** Failures a minute, and at once; 0 for no limit. */
  readonly failuresPerMinute: number;
}

/** The debt of an address by now: one for each failure, less the time that has passed. */
const owed =
  "greatest(0, l.owed - extract(epoch from clock_timestamp() - l.at) * :perSecond::float8)";

const take = `
  insert into sign_in_limit as l (digest, owed, at) values (:digest, 1, clock_timestamp())
  on conflict (digest) do update set owed = ${owed} + 1, at = clock_timestamp()
   where ${owed} + 1 <= :most::float8
  returning digest`;

const wait = `select ${owed} as owed from sign_in_limit l where digest = :digest`;

const change = `
  insert into sign_in_limit as l (digest, owed, at) values (:digest, greatest(0, :by::float8), clock_timestamp())
  on conflict (digest) do update
     set owed = least(2 * :most::float8, greatest(0, ${owed} + :by::float8)), at = clock_timestamp()`;

/** Buckets that are empty by now, a few at a time. */
const sweep = `
  delete from sign_in_limit where digest = any(array(
    select digest from sign_in_limit where at < clock_timestamp() - interval '1 hour'
     limit 100 for update skip locked))`;

/**
 * Makes the limit of sign-ins. The catalog counts, so several hosts give a guesser no more tries than one; it knows
 * hashes of addresses alone. One statement before a sign-in, and one after it.
 */
export function createSignInLimit({ knex, failuresPerMinute }: SignInLimitOptions): SignInLimit {
  const most = failuresPerMinute;
  const perSecond = failuresPerMinute / 60;
  const bindingsOf = (email: string) => ({
    digest: createHash("sha256").update(comparableEmail(email)).digest(),
    most,
    perSecond,
  });
  const add = async (email: string, by: number): Promise<void> => {
    if (most > 0) await knex.raw(change, { ...bindingsOf(email), by });
  };
  return {
    async admit(email) {
      if (most === 0) return;
      const bindings = bindingsOf(email);
      const { rows }: { rows: object[] } = await knex.raw(take, bindings);
      if (rows.length > 0) return;
      const { rows: left }: { rows: { owed: number }[] } = await knex.raw(wait, bindings);
      const waitS = (Number(left[0]?.owed ?? most) + 1 - most) / perSecond;
      throw new ApiError("SIGN_INS_TOO_MANY", [], { retryAfterS: Math.max(1, Math.ceil(waitS)) });
    },
    passed: (email) => add(email, -1),
    async failed(email) {
      await add(email, 1);
      if (most > 0) await knex.raw(sweep);
    },
  };
}
