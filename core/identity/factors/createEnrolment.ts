import { randomUUID } from "node:crypto";
import type { Knex } from "knex";
import { type Cipher, writeAudit } from "../../catalog/index.ts";
import { ApiError, type Principal, type Records, type Members } from "../../base/index.ts";
import { createAppSecret, isCode, stepOfCode } from "./codes.ts";
import type { PasskeyOptions, Passkeys } from "./passkeys.ts";
import { replaceRecoveryCodes } from "./recoveryCodes.ts";
import { factorsOf, removeFactors, sealFactor } from "./storedFactors.ts";
import { createTickets } from "./tickets.ts";

/** A caller who changes their own second factors. The host has already checked that the caller signed in recently. */
export interface EnrolmentCaller {
  readonly principal: Principal;
  readonly requestId: string;
  readonly address?: string | undefined;
}

/** A factor as shown to its user. */
export interface ShownFactor {
  readonly id: string;
  readonly type: "app" | "passkey";
  readonly name: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

/** An added factor. The first factor comes with recovery codes, which cannot be shown again later. */
export interface Enrolled {
  readonly id: string;
  readonly recovery_codes: readonly string[] | null;
}

/** Adds and removes second factors. Each change is one transaction, including its audit event. */
export interface Enrolment {
  list(userId: string): Promise<readonly ShownFactor[]>;
  countRecoveryCodes(userId: string): Promise<number>;
  /** Creates the secret of an authenticator app. The secret is stored only after the user has entered a code. */
  beginApp(caller: EnrolmentCaller): { secret: string; uri: string; ticket: string };
  /**
   * Adds the app if the code is correct.
   * @throws {ApiError} SECOND_FACTOR_WRONG, CONFLICT
   */
  addApp(caller: EnrolmentCaller, given: Given): Promise<Enrolled>;
  /**
   * Returns the options for a browser that creates a passkey.
   * @throws {ApiError} PASSKEYS_UNAVAILABLE
   */
  beginPasskey(caller: EnrolmentCaller): Promise<{ ticket: string; options: PasskeyOptions }>;
  /**
   * Adds the passkey that a browser created.
   * @throws {ApiError} SECOND_FACTOR_WRONG, PASSKEYS_UNAVAILABLE, CONFLICT
   */
  addPasskey(caller: EnrolmentCaller, given: Given): Promise<Enrolled>;
  /**
   * Removes a factor. Removing the last factor also removes the recovery codes.
   * @throws {ApiError} RECORD_NOT_FOUND, CONFLICT
   */
  remove(caller: EnrolmentCaller, id: string): Promise<void>;
  /**
   * Creates new recovery codes. The previous codes become invalid.
   * @throws {ApiError} CONFLICT without a factor
   */
  makeRecoveryCodes(caller: EnrolmentCaller): Promise<readonly string[]>;
}

/** Members that a client sends to complete adding a factor. */
interface Given {
  readonly ticket: unknown;
  readonly name: string;
  /** The code of an app, or the browser's response for a passkey. */
  readonly answer: unknown;
}

export interface EnrolmentOptions {
  readonly records: Records;
  readonly knex: Knex;
  readonly cipher: Cipher;
  readonly passkeys: Passkeys;
  /** The clock, in milliseconds since 1970; replaced in tests. */
  readonly now?: () => number;
}

const mostFactors = 20;
const wrong = (why: string): ApiError => new ApiError("SECOND_FACTOR_WRONG", [why]);
const lateTicket = "the ticket belongs to another user, or is older than 10 minutes; begin again";

/** Creates the actions that add and remove second factors. */
export function createEnrolment(options: EnrolmentOptions): Enrolment {
  const { records, knex, cipher, passkeys, now = Date.now } = options;
  const tickets = createTickets(cipher, now);

  /** Runs a change of a user's factors, and serializes it with other changes of that user. */
  const change = <Answer>(
    userId: string,
    work: (transaction: Knex.Transaction) => Promise<Answer>,
  ): Promise<Answer> =>
    records.transaction(async (transaction) => {
      await transaction("user").where({ id: userId }).forUpdate().first("id");
      return work(transaction);
    });

  const add = async (
    { principal, requestId, address }: EnrolmentCaller,
    values: Members<"type"> & { readonly id: string },
    transaction: Knex.Transaction,
  ): Promise<Enrolled> => {
    const { userId } = principal;
    const known = await factorsOf(userId, transaction);
    if (known.length >= mostFactors)
      throw new ApiError("CONFLICT", [
        `a user can have at most ${mostFactors} second factors; remove one first`,
      ]);
    await transaction("second_factor").insert({ ...values, user_id: userId });
    const event = { action: "second_factor_add", resource: "user", recordId: userId } as const;
    const members = [String(values.type)];
    await writeAudit(
      records,
      { principal, requestId, address },
      { ...event, members },
      transaction,
    );
    // Adding the first factor revokes the sessions that were started with only the password, because anyone who knew
    // the password could have started them.
    await transaction("authorization")
      .where({ user_id: userId, type: "login", factor: null, ssoconfig_id: null, parent_id: null })
      .delete();
    const isFirst = known.length === 0;
    const codes = isFirst ? await replaceRecoveryCodes(userId, transaction) : null;
    return { id: values.id, recovery_codes: codes };
  };

  return {
    async list(userId) {
      const factors = await factorsOf(userId, knex);
      return factors.map(({ id, type, name, created_at, last_used_at }) => ({
        id,
        type,
        name,
        created_at: created_at.toISOString(),
        last_used_at: last_used_at?.toISOString() ?? null,
      }));
    },
    async countRecoveryCodes(userId) {
      const [counted] = await knex("recovery_code").where({ user_id: userId }).count();
      return Number(counted?.["count"] ?? 0);
    },
    beginApp({ principal }) {
      const made = createAppSecret(principal.email);
      return { ...made, ticket: tickets.seal("app", principal.userId, made.secret) };
    },
    addApp(caller, { ticket: sealed, name, answer }) {
      const ticket = tickets.open(sealed, "app", caller.principal.userId);
      if (!ticket) throw wrong(lateTicket);
      const code = typeof answer === "string" ? answer.replaceAll(/\s/g, "") : "";
      const step = isCode(code) ? stepOfCode(ticket.secret, code, now()) : undefined;
      if (step === undefined) throw wrong("enter the code that the app shows now");
      return change(caller.principal.userId, async (transaction) => {
        if (!(await tickets.take(ticket, transaction)))
          throw wrong("the ticket has already been used; begin again");
        const id = randomUUID();
        const secret = sealFactor(ticket.secret, id, cipher);
        return add(caller, { id, type: "app", name, secret, last_step: step }, transaction);
      });
    },
    async beginPasskey({ principal }) {
      const { userId, name, email } = principal;
      const challenge = passkeys.createChallenge();
      const known = await factorsOf(userId, knex);
      const ids = known.flatMap(({ credential_id: id }) => (id === null ? [] : [id]));
      const user = { id: userId, name, email };
      return {
        ticket: tickets.seal("passkey", userId, challenge),
        options: passkeys.creationOf(challenge, user, ids),
      };
    },
    async addPasskey(caller, { ticket: sealed, name, answer }) {
      const ticket = tickets.open(sealed, "passkey", caller.principal.userId);
      if (!ticket) throw wrong(lateTicket);
      const made = await passkeys.readMade(answer, ticket.secret);
      return change(caller.principal.userId, async (transaction) => {
        if (!(await tickets.take(ticket, transaction)))
          throw wrong("the ticket has already been used; begin again");
        const { credentialId, publicKey, counter } = made;
        const taken: unknown = await transaction("second_factor")
          .where({ credential_id: credentialId })
          .first("id");
        if (taken !== undefined) throw new ApiError("CONFLICT", ["this passkey is already in use"]);
        const values = { credential_id: credentialId, public_key: publicKey, counter };
        return add(caller, { id: randomUUID(), type: "passkey", name, ...values }, transaction);
      });
    },
    remove({ principal, requestId, address }, id) {
      const { userId, organizationId } = principal;
      return change(userId, async (transaction) => {
        const factors = await factorsOf(userId, transaction);
        if (!factors.some((each) => each.id === id))
          throw new ApiError("RECORD_NOT_FOUND", ["second factor", id]);
        const isLast = factors.length === 1;
        const organization: { require_second_factor: boolean } | undefined = await transaction(
          "organization",
        )
          .where({ id: organizationId })
          .first("require_second_factor");
        if (isLast && organization?.require_second_factor === true)
          throw new ApiError("CONFLICT", [
            "the organization requires a second factor; add another one before you remove the last",
          ]);
        await transaction("second_factor").where({ id }).delete();
        if (isLast) await removeFactors(userId, transaction);
        const event = {
          action: "second_factor_remove",
          resource: "user",
          recordId: userId,
        } as const;
        const members = [factors.find((each) => each.id === id)?.type ?? ""];
        await writeAudit(
          records,
          { principal, requestId, address },
          { ...event, members },
          transaction,
        );
      });
    },
    makeRecoveryCodes({ principal, requestId, address }) {
      const { userId } = principal;
      return change(userId, async (transaction) => {
        const factors = await factorsOf(userId, transaction);
        if (factors.length === 0)
          throw new ApiError("CONFLICT", [
            "add a second factor first; recovery codes are only for users who have one",
          ]);
        const codes = await replaceRecoveryCodes(userId, transaction);
        const event = {
          action: "recovery_codes_make",
          resource: "user",
          recordId: userId,
        } as const;
        await writeAudit(records, { principal, requestId, address }, event, transaction);
        return codes;
      });
    },
  };
}
