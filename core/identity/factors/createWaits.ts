import { createHash } from "node:crypto";
import type { Knex } from "knex";
import { ApiError } from "../../base/index.ts";

/** An attempt that may be checked. It counts as failed until `passed` is called. */
export interface Attempt {
  /**
   * Marks the attempt as successful. For passwords, only this attempt stops counting, because other attempts may be
   * guesses by strangers. For the other kinds, all failures come from the user, so all of them are forgotten.
   */
  passed(): Promise<void>;
}

/** The secret that is guessed, and the account or user it belongs to. Attempts are counted separately for each kind. */
export type Guessed =
  /** A password for an e-mail address, from an unknown device. */
  | { readonly kind: "password"; readonly email: string }
  /** A password for an e-mail address, from a known device or with a recovery code. */
  | { readonly kind: "proved password"; readonly email: string; readonly proof: string }
  /** The current password of a user who is signed in. */
  | { readonly kind: "old password"; readonly userId: string }
  /** The code of an authenticator app. */
  | { readonly kind: "code"; readonly userId: string };

/** Makes users wait longer after each wrong password or code. Failures are counted in the catalog for all hosts. */
export interface Waits {
  /**
   * Counts an attempt before it is checked, so that concurrent attempts are counted as well.
   * @throws {ApiError} SIGN_INS_TOO_MANY, or SECOND_FACTOR_WAIT for codes, with Retry-After
   */
  countAttempt(guessed: Guessed): Promise<Attempt>;
  /**
   * Resets the number of consecutive failures without shortening the current wait, because a user's sign-in must not
   * let a guesser continue earlier.
   */
  endSeries(guessed: Guessed): Promise<void>;
}

export interface WaitsOptions {
  readonly knex: Knex;
  /** Number of failures before the first wait; 0 disables waits. */
  readonly tries: number;
  /**
   * Clock for tests, in milliseconds since 1970.
   *
   * @default the catalog's clock
   */
  readonly now?: () => number;
}

/** Default number of failures before the first wait, because people mistype. */
export const usualTries = 5;
/**
 * Number of consecutive failures after which no guesses are accepted for an account (NIST SP 800-63B, section 5.2.2).
 */
const mostFailures = 100;
/** The period without an attempt after which a series of failures is forgotten. */
const series = "interval '30 days'";

const quietS = "greatest(0, extract(epoch from excluded.at - greatest(w.at, w.ends_at)))";
const level = `greatest(0, w.level - ${quietS} / 3600) + 1`;

/**
 * Computes the wait. The first wait is a minute; each further failure doubles it, up to an hour. The first wait already
 * starts at half a failure below `tries`, because the counted level falls slightly between attempts.
 */
const waitOf = (failures: string) =>
  `case when ${failures} < :tries - 0.5 then interval '0'
        else interval '1 minute' * least(60, power(2, greatest(0, least(6, ${failures} - :tries)))) end`;

const take = `
  insert into attempt_wait as w (digest, level, failed_count, at, ends_at)
  select :digest::bytea, 1, 1, now, now + ${waitOf("1")}
    from (select coalesce(:now::timestamptz, clock_timestamp()) as now) clock
  on conflict (digest) do update
     set level = ${level}, at = excluded.at, ends_at = excluded.at + ${waitOf(`(${level})`)},
         failed_count = case when w.at < excluded.at - ${series} then 1 else w.failed_count + 1 end
   where w.at < excluded.at - ${series} or (w.ends_at <= excluded.at and w.failed_count < :most)
  returning w.at::text as at`;

const wait = `
  select extract(epoch from (case when failed_count >= :most then at + ${series} else ends_at end)
                 - coalesce(:now::timestamptz, clock_timestamp())) as seconds
    from attempt_wait where digest = :digest`;

/** Ends the wait that this attempt started. A wait that a later attempt started continues. */
const giveBack = `
  update attempt_wait
     set level = greatest(0, level - 1), failed_count = 0,
         ends_at = case when at = :at::timestamptz then least(ends_at, at) else ends_at end
   where digest = :digest`;

/** Deletes a few series of failures that have expired. */
const sweep = `
  delete from attempt_wait where digest = any(array(
    select digest from attempt_wait
     where at < coalesce(:now::timestamptz, clock_timestamp()) - ${series}
     limit 100 for update skip locked))`;

/** Returns a hash that identifies the account, device or user, so that the catalog stores no guessed addresses. */
function digestOf(guessed: Guessed): Buffer {
  const named = "email" in guessed ? guessed.email : guessed.userId;
  const proof = "proof" in guessed ? guessed.proof : "";
  return createHash("sha256")
    .update(JSON.stringify([guessed.kind, named, proof]))
    .digest();
}

/**
 * Creates growing waits. After the last of `tries` failures the wait is a minute; each further failure doubles it, up
 * to an hour. Each hour without a failure after the wait undoes one failure. A correct password undoes only its own
 * attempt. Otherwise, each sign-in by the victim would allow a guesser more attempts. After 100 consecutive failures,
 * no attempt is admitted until `endSeries` is called or 30 days have passed. Addresses without an account have the same
 * waits. Admitting an attempt takes two SQL statements, and `passed` takes one.
 */
export function createWaits({ knex, tries, now }: WaitsOptions): Waits {
  const bindingsOf = (guessed: Guessed) => ({
    digest: digestOf(guessed),
    tries,
    most: mostFailures,
    now: now ? new Date(now()).toISOString() : null,
  });
  return {
    async countAttempt(guessed) {
      if (tries === 0) return { passed: async () => undefined };
      const bindings = bindingsOf(guessed);
      const { rows }: { rows: { at: string }[] } = await knex.raw(take, bindings);
      const [taken] = rows;
      if (taken) {
        await knex.raw(sweep, bindings);
        return {
          async passed() {
            if (guessed.kind === "password")
              await knex.raw(giveBack, { ...bindings, at: taken.at });
            else await knex("attempt_wait").where({ digest: bindings.digest }).delete();
          },
        };
      }
      const { rows: left }: { rows: { seconds: string }[] } = await knex.raw(wait, bindings);
      const retryAfterS = Math.max(1, Math.ceil(Number(left[0]?.seconds ?? 1)));
      throw new ApiError(guessed.kind === "code" ? "SECOND_FACTOR_WAIT" : "SIGN_INS_TOO_MANY", [], {
        retryAfterS,
      });
    },
    async endSeries(guessed) {
      if (tries > 0)
        await knex("attempt_wait")
          .where({ digest: digestOf(guessed) })
          .update({ failed_count: 0 });
    },
  };
}

/** Forgets the failures of users whose password or factors have changed. */
export async function forgetFailures(
  guessed: readonly Guessed[],
  transaction: Knex.Transaction,
): Promise<void> {
  await transaction("attempt_wait").whereIn("digest", guessed.map(digestOf)).delete();
}
