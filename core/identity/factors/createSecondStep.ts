import type { Knex } from "knex";
import type { Cipher } from "../../catalog/index.ts";
import { ApiError } from "../../base/index.ts";
import { isCode, stepOfCode } from "./codes.ts";
import { createWaits, forgetFailures, usualTries } from "./createWaits.ts";
import type { PasskeyOptions, Passkeys } from "./passkeys.ts";
import { takeRecoveryCode } from "./recoveryCodes.ts";
import { factorsOf, hasFactors, openFactor, type StoredFactor } from "./storedFactors.ts";
import { createTickets } from "./tickets.ts";

/** The kind of second factor that a sign-in used. */
export type FactorWay = "app" | "recovery_code" | "passkey";

/** The second step of a sign-in. For a user with a second factor, the password is not enough to start a session. */
export interface SecondStep {
  /**
   * Checks the code of a user whose password is correct. Undefined for a user without a second factor.
   * @throws {ApiError} SECOND_FACTOR_REQUIRED, SECOND_FACTOR_WRONG, SECOND_FACTOR_WAIT
   */
  verifyCode(userId: string, code: unknown): Promise<FactorWay | undefined>;
  /**
   * Refuses a user who added a second factor after `verifyCode` found none.
   * @throws {ApiError} UNAUTHORIZED
   */
  refuseAdded(userId: string, transaction: Knex.Transaction): Promise<void>;
  /**
   * Returns the options for a browser that signs in with a passkey.
   * @throws {ApiError} PASSKEYS_UNAVAILABLE
   */
  offerPasskey(): { readonly ticket: string; readonly options: PasskeyOptions };
  /**
   * Returns the id of the user whose passkey the browser used.
   * @throws {ApiError} SECOND_FACTOR_WRONG, PASSKEYS_UNAVAILABLE
   */
  verifyPasskey(ticket: unknown, answer: unknown): Promise<string>;
}

export interface SecondStepOptions {
  readonly knex: Knex;
  readonly cipher: Cipher;
  readonly passkeys: Passkeys;
  /** The clock, in milliseconds since 1970; replaced in tests. */
  readonly now?: () => number;
}

const wrong = (why: string): ApiError => new ApiError("SECOND_FACTOR_WRONG", [why]);

/**
 * Creates the second step of sign-ins. Each code or challenge works only once across all hosts, because the step locks
 * the row of the code or challenge in the catalog.
 */
export function createSecondStep(options: SecondStepOptions): SecondStep {
  const { knex, cipher, passkeys, now = Date.now } = options;
  const tickets = createTickets(cipher, now);
  const waits = createWaits({ ...options, tries: usualTries });

  /** Marks a code of an app as used. The code must be from a later time step than the last code used. */
  const takeCode = async (
    apps: readonly StoredFactor[],
    code: string,
    transaction: Knex.Transaction,
  ): Promise<boolean> => {
    for (const app of apps) {
      const step = stepOfCode(openFactor(app, cipher), code, now());
      if (step === undefined) continue;
      // Of two concurrent calls with the same code, only one finds the time step unused.
      const used: number = await transaction("second_factor")
        .where({ id: app.id })
        .whereRaw("(last_step is null or last_step < ?)", [step])
        .update({ last_step: step, last_used_at: new Date(now()) });
      if (used === 1) return true;
    }
    return false;
  };

  /**
   * Checks a code of an app, or a recovery code. Waits apply only to codes of apps, because recovery codes have 99 bits
   * and cannot be guessed.
   */
  const attempt = async (userId: string, code: string): Promise<FactorWay | undefined> => {
    const guessed = { kind: "code", userId } as const;
    if (!isCode(code)) {
      const isTaken = await knex.transaction((transaction) =>
        takeRecoveryCode(userId, code, transaction),
      );
      if (isTaken) await knex.transaction((transaction) => forgetFailures([guessed], transaction));
      return isTaken ? "recovery_code" : undefined;
    }
    const admitted = await waits.countAttempt(guessed);
    const isRight = await knex.transaction(async (transaction) => {
      const factors = await factorsOf(userId, transaction);
      const apps = factors.filter(({ type }) => type === "app");
      return takeCode(apps, code, transaction);
    });
    if (isRight) await admitted.passed();
    return isRight ? "app" : undefined;
  };

  return {
    async verifyCode(userId, code) {
      const factors = await factorsOf(userId, knex);
      if (factors.length === 0) return undefined;
      if (typeof code !== "string" || code === "") throw required(factors);
      const way = await attempt(userId, code.replaceAll(/\s/g, "").slice(0, 100));
      if (way === undefined)
        throw wrong("enter the code that the app shows now, or a recovery code");
      return way;
    },
    async refuseAdded(userId, transaction) {
      if (await hasFactors(userId, transaction)) throw new ApiError("UNAUTHORIZED");
    },
    offerPasskey() {
      const challenge = passkeys.createChallenge();
      const request = passkeys.requestOf(challenge);
      return { ticket: tickets.seal("sign-in", "", challenge), options: request };
    },
    async verifyPasskey(sealed, answer) {
      const ticket = tickets.open(sealed, "sign-in", "");
      if (!ticket)
        throw wrong("the ticket is from another host or older than 10 minutes; sign in again");
      const id = passkeys.idOf(answer);
      return knex.transaction(async (transaction) => {
        const found: StoredFactor | undefined = await transaction("second_factor")
          .where({ credential_id: id ?? "", type: "passkey" })
          .forUpdate()
          .first();
        if (!found) throw wrong("this passkey does not belong to a user of this host");
        const counter = await passkeys.readUsed(answer, ticket.secret, found);
        if (!(await tickets.take(ticket, transaction)))
          throw wrong("the ticket has already been used; sign in again");
        await transaction("second_factor")
          .where({ id: found.id })
          .update({ counter, last_used_at: new Date(now()) });
        return found.user_id;
      });
    },
  };
}

function required(factors: readonly StoredFactor[]): ApiError {
  const hasApp = factors.some(({ type }) => type === "app");
  const hasPasskey = factors.some(({ type }) => type === "passkey");
  const code = hasApp
    ? "a code of the authenticator app, or a recovery code"
    : "a recovery code, if the passkey is lost";
  const validation = {
    code: [`send email, password and code: ${code}`],
    ...(hasPasskey && { passkey: ["sign in with the passkey, without the password"] }),
  };
  const ways = hasApp ? ["send code too"] : [];
  if (hasPasskey) ways.push("sign in with the user's passkey");
  return new ApiError("SECOND_FACTOR_REQUIRED", [ways.join(", or ")], { validation });
}
