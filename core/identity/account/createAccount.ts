import type { Knex } from "knex";
import { writeAudit } from "../../catalog/index.ts";
import { ApiError, isUuid, type Principal, type Records } from "../../base/index.ts";
import type { Enrolment, Passkeys } from "../factors/index.ts";
import { historyOf } from "./historyOf.ts";
import { isFresh, refuseStale } from "./refuseStale.ts";
import { sessionsOf } from "./sessionsOf.ts";

/** A person's call about their own account. */
export interface AccountCall {
  readonly principal: Principal;
  readonly body: Readonly<Record<string, unknown>>;
  readonly requestId: string;
  readonly address?: string | undefined;
}

/** Actions that people perform on their own account, by the path below `/auth/account/`. */
export interface Account {
  /** The paths, in the order of the documentation. */
  readonly paths: readonly string[];
  /** Returns whether a person who must add a second factor may call a path. */
  isEnrolling(path: string): boolean;
  /**
   * Runs the action at a path.
   * @throws {ApiError} SIGN_IN_STALE, SECOND_FACTOR_WRONG, MEMBER_MISSING, MEMBER_INVALID, RECORD_NOT_FOUND, CONFLICT,
   * FORBIDDEN for embed tokens and private links, PASSKEYS_UNAVAILABLE
   */
  answer(path: string, call: AccountCall): Promise<object>;
}

export interface AccountOptions {
  readonly records: Records;
  readonly knex: Knex;
  readonly enrolment: Enrolment;
  readonly passkeys: Pick<Passkeys, "isOffered">;
  /** Makes the next call read the catalog, because sessions were revoked on this host. */
  forget(): void;
  /** The clock, in milliseconds since 1970; replaced in tests. */
  readonly now?: () => number;
}

interface Step {
  /** Whether the caller must have signed in within the last ten minutes. */
  readonly isFresh?: true;
  /** Whether people who must add a second factor may call the action. */
  readonly isEnrolling?: true;
  /** Whether the action revokes sessions, so that the next call must read the catalog. */
  readonly ends?: true;
  answer(call: AccountCall): Promise<object>;
}

const longestName = 100;

/** Creates the actions that people perform on their own account. */
export function createAccount(options: AccountOptions): Account {
  const { records, knex, enrolment, passkeys, forget, now = Date.now } = options;

  const overview = async ({ principal }: AccountCall) => {
    const { userId, organizationId } = principal;
    const organization: { require_second_factor: boolean } | undefined = await knex("organization")
      .where({ id: organizationId })
      .first("require_second_factor");
    const password: unknown = await knex("user_password")
      .where({ user_id: userId })
      .first("user_id");
    return {
      factors: await enrolment.list(userId),
      recovery_code_count: await enrolment.countRecoveryCodes(userId),
      has_password: password !== undefined,
      is_fresh: await isFresh(principal, knex, now()),
      is_demanded: organization?.require_second_factor === true,
      must_add: principal.lacksFactor === true,
      offers_passkeys: passkeys.isOffered(),
    };
  };

  const endSessions = async ({ principal, body, requestId, address }: AccountCall) => {
    const { id, others } = body;
    const { userId, authorizationId } = principal;
    if ((id === undefined) === (others === undefined))
      throw new ApiError("MEMBER_MISSING", ["id", "the id of a session, or others: true"]);
    if (id !== undefined && (typeof id !== "string" || !isUuid(id)))
      throw invalid("id", "it must be the id of a session");
    if (others !== undefined && others !== true) throw invalid("others", "it must be true");
    const ended = await records.transaction(async (transaction) => {
      const own = transaction("authorization").where({ user_id: userId, type: "login" });
      const ids: { id: string }[] = await (
        id === undefined ? own.whereNot({ id: authorizationId }) : own.where({ id })
      )
        .delete()
        .returning("id");
      for (const each of ids) {
        const event = { action: "delete", resource: "authorization", recordId: each.id } as const;
        await writeAudit(records, { principal, requestId, address }, event, transaction);
      }
      return ids.length;
    });
    if (id !== undefined && ended === 0) throw new ApiError("RECORD_NOT_FOUND", ["session", id]);
    return { count: ended };
  };

  /**
   * Returns the sign-ins of the caller, or of another user whom the caller may see. For example, owners may see the
   * members of their organization.
   */
  const history = async ({ principal, body }: AccountCall) => {
    const { user_id: requested = principal.userId } = body;
    if (typeof requested !== "string" || !isUuid(requested))
      throw invalid("user_id", "it must be the id of a user");
    const isOwn = requested.toLowerCase() === principal.userId;
    const mayRead = isOwn || principal.organizationRole === "owner";
    const seen = mayRead
      ? await records.visible("user", [requested], "read", principal)
      : new Map();
    if (seen.size === 0) throw new ApiError("RECORD_NOT_FOUND", ["user", requested]);
    return { rows: await historyOf(requested.toLowerCase(), knex) };
  };

  const steps = new Map<string, Step>([
    ["overview", { isEnrolling: true, answer: overview }],
    [
      "app/begin",
      { isFresh: true, isEnrolling: true, answer: async (call) => enrolment.beginApp(call) },
    ],
    [
      "app/add",
      {
        isFresh: true,
        isEnrolling: true,
        ends: true,
        answer: (call) => enrolment.addApp(call, givenOf(call, "code", "Authenticator app")),
      },
    ],
    [
      "passkey/begin",
      { isFresh: true, isEnrolling: true, answer: (call) => enrolment.beginPasskey(call) },
    ],
    [
      "passkey/add",
      {
        isFresh: true,
        isEnrolling: true,
        ends: true,
        answer: (call) => enrolment.addPasskey(call, givenOf(call, "passkey", "Passkey")),
      },
    ],
    [
      "factors/remove",
      {
        isFresh: true,
        answer: async (call) => {
          const { id } = call.body;
          if (typeof id !== "string" || !isUuid(id))
            throw invalid("id", "it must be the id of a factor");
          await enrolment.remove(call, id.toLowerCase());
          return { code: 200 };
        },
      },
    ],
    [
      "recovery-codes",
      {
        isFresh: true,
        answer: async (call) => ({ recovery_codes: await enrolment.makeRecoveryCodes(call) }),
      },
    ],
    [
      "sessions",
      {
        answer: async ({ principal }) => ({
          rows: await sessionsOf(principal.userId, principal.authorizationId, knex),
        }),
      },
    ],
    ["sessions/end", { ends: true, answer: endSessions }],
    ["history", { answer: history }],
  ]);

  return {
    paths: [...steps.keys()],
    isEnrolling: (path) => steps.get(path)?.isEnrolling === true,
    async answer(path, call) {
      const step = steps.get(path);
      if (!step) throw new ApiError("PATH_UNKNOWN", [JSON.stringify(path.slice(0, 100))]);
      const { principal } = call;
      if (principal.restriction || !["api", "login"].includes(principal.authorizationType))
        throw new ApiError("FORBIDDEN", [
          "act in a session, or with a key pair of type api or login",
        ]);
      if (step.isFresh) await refuseStale(principal, knex, now());
      try {
        return await step.answer(call);
      } finally {
        if (step.ends) forget();
      }
    },
  };
}

const invalid = (member: string, problem: string): ApiError =>
  new ApiError("MEMBER_INVALID", [member, problem]);

function givenOf({ body }: AccountCall, answer: "code" | "passkey", usual: string) {
  const { name = usual, ticket } = body;
  if (typeof name !== "string" || name.trim() === "" || name.length > longestName)
    throw invalid("name", `it must be a string of 1 to ${longestName} characters`);
  if (ticket === undefined)
    throw new ApiError("MEMBER_MISSING", ["ticket", "the ticket that begin returned"]);
  if (body[answer] === undefined)
    throw new ApiError("MEMBER_MISSING", [
      answer,
      answer === "code" ? "the code that the app shows" : "the response of the browser",
    ]);
  return { ticket, name: name.trim(), answer: body[answer] };
}
