import type { Knex } from "knex";
import { type NoteRefusal, writeAudit } from "../../catalog/index.ts";
import { ApiError, type Principal, type Records, type Members } from "../../base/index.ts";
import type { PasskeyOptions, SecondStep, Waits } from "../factors/index.ts";
import { type PasswordCheck, refuseChangedPassword } from "./createPasswordCheck.ts";
import { codeOf } from "./codeOf.ts";
import { secondStepOf } from "./secondStepOf.ts";
import type { Access } from "./openAccess.ts";
import { comparableEmail } from "./password.ts";
import { personById } from "./personById.ts";
import { isBoundItself } from "./features/refuseWithout.ts";
import type { SignInFailures } from "./openSignInFailures.ts";
import { personOf } from "./principalOf.ts";
import { createSignInLinks } from "./signInLinks.ts";
import {
  storeSession,
  type BegunSession,
  type SessionCaller,
  type SessionOrigin,
} from "./storeSession.ts";
import type { CallSource } from "./tokens/callSource.ts";

/** Sessions of browsers: tokens of type login whose secret is in a cookie alone. */
export interface Sessions {
  /**
   * Begins a session by `email` and `password` (with `code` for a user with a second factor), by `passkey` and
   * `ticket`, by `key` and `token`, or by a `link`; ends the session of the cookie that the caller has, so that nobody
   * goes on with a session that someone else set.
   * @throws {ApiError} UNAUTHORIZED, SECOND_FACTOR_REQUIRED, SECOND_FACTOR_WRONG, SECOND_FACTOR_WAIT,
   * SIGN_IN_LINK_INVALID, FORBIDDEN for tokens of other types than api and login, and what limits say
   */
  begin(body: Members<"link" | "key" | "passkey">, caller: SessionCaller): Promise<BegunSession>;
  /** Begins a session for a person whom the provider of an ssoconfig vouched for, with which it ends. */
  beginFor(
    person: Principal,
    bounds: { readonly configId: string; readonly lifeMs: number },
    caller: SessionCaller,
    transaction: Knex.Transaction,
  ): Promise<BegunSession>;
  /** Options for a browser that signs in by a passkey. @throws {ApiError} PASSKEYS_UNAVAILABLE */
  beginPasskey(caller: Pick<SessionCaller, "address">): {
    readonly ticket: string;
    readonly options: PasskeyOptions;
  };
  /** Returns who a cookie stands for, also one that may only add a second factor. @throws {ApiError} UNAUTHORIZED */
  who(caller: CallSource): Promise<Principal>;
  /** Ends the session of a cookie; a cookie of no session is no error. */
  end(caller: SessionCaller): Promise<void>;
  /**
   * Makes a secret that begins one session, once and from this machine, within an hour. @throws {ApiError}
   * UNAUTHORIZED
   */
  createLink(pair: { readonly key: string; readonly token: string }): Promise<string>;
}

export interface SessionsOptions {
  readonly records: Records;
  readonly access: Access;
  readonly checkPassword: PasswordCheck;
  readonly secondStep: SecondStep;
  readonly waits: Pick<Waits, "endSeries">;
  readonly failures: Pick<SignInFailures, "note">;
  /** Is called for each link that is refused. */
  readonly noteRefusal?: NoteRefusal;
  readonly limits: {
    admit(address: string): void;
    failed(address: string): void;
  };
  /** Milliseconds since 1970; the clock of tests. */
  readonly now?: () => number;
}

/** The program that runs the host makes links; who uses one is asked from where. */
const ofHost: CallSource = { address: "", origin: undefined, isOfHost: true };

const provable = `
  select 1 from user_password where user_id = :user
  union all select 1 from second_factor where user_id = :user
  union all select 1 from sign_on_identity where user_id = :user
  union all select 1 from provisioned_user where user_id = :user`;

/** Makes the sessions of browsers. One transaction to begin or to end one. */
export function createSessions(options: SessionsOptions): Sessions {
  const { records, access, checkPassword, secondStep, failures, limits, waits } = options;
  const { now = Date.now } = options;
  const links = createSignInLinks(now);

  const store = (
    person: Principal,
    origin: SessionOrigin,
    caller: SessionCaller,
    transaction: Knex.Transaction,
  ) => storeSession({ person, origin, caller }, { records, failures, now }, transaction);

  const byPassword = async (body: Readonly<Record<string, unknown>>, caller: SessionCaller) => {
    const person = await checkPassword(body, caller);
    const factor = await secondStepOf({ ...options, person, code: codeOf(body), caller });
    return records.transaction(async (transaction) => {
      await refuseChangedPassword(person, transaction);
      if (factor === undefined) await secondStep.refuseAdded(person.user.id, transaction);
      const principal = personOf("", "login", person.user, person.standing);
      return store(principal, { factor, isProved: true }, caller, transaction);
    });
  };

  const byPasskey = async ({ ticket, passkey }: Members, caller: SessionCaller) => {
    const userId = await secondStep.byPasskey(ticket, passkey).catch((failure: unknown) => {
      if (failure instanceof ApiError && failure.status < 500) limits.failed(caller.address);
      throw failure;
    });
    const begun = await records.transaction(async (transaction) => {
      const person = await personById(userId, transaction);
      return store(person, { factor: "passkey", isProved: true }, caller, transaction);
    });
    await waits.endSeries({ kind: "password", email: comparableEmail(begun.principal.email) });
    return begun;
  };

  /** A key pair proves who its user is where nothing better could: for a user without password, factor and provider. */
  const byParent = (person: Principal, caller: SessionCaller) =>
    records.transaction(async (transaction) => {
      const { rows }: { rows: unknown[] } = await transaction.raw(provable, {
        user: person.userId,
      });
      // An authenticated person could add a password, which would bypass the restrictions of this key.
      const isProved = rows.length === 0 && !isBoundItself(person);
      const origin = { parentId: person.authorizationId, isProved };
      return store(person, origin, caller, transaction);
    });

  const byPair = async (body: Readonly<Record<string, unknown>>, caller: SessionCaller) => {
    const { key, token } = body;
    const person = await access
      .authenticate({ key, token }, { address: caller.address, origin: caller.origin })
      .catch((failure: unknown) => {
        if (failure instanceof ApiError && failure.code === "UNAUTHORIZED")
          limits.failed(caller.address);
        throw failure;
      });
    if (person.restriction || person.authorizationType === "share")
      throw new ApiError("FORBIDDEN", ["sign in with a key pair of type api or login"]);
    return byParent(person, caller);
  };

  const byLink = async (link: unknown, caller: SessionCaller) => {
    const found = caller.isLocal && typeof link === "string" ? links.take(link) : undefined;
    if (!found) {
      limits.failed(caller.address);
      const code = "SIGN_IN_LINK_INVALID";
      options.noteRefusal?.({ way: "link", code, address: caller.address });
      throw new ApiError(code);
    }
    return byParent(found, caller);
  };

  /** Finds who a cookie belongs to. A cookie of no session counts as a failed attempt of its address. */
  const who = async (caller: Omit<SessionCaller, "requestId" | "isLocal">): Promise<Principal> => {
    const { address, origin, session } = caller;
    if (session !== undefined) limits.admit(address);
    const source = { address, origin, session: session ?? "", isEnrolling: true };
    return access.authenticate({}, source).catch((failure: unknown) => {
      if (session !== undefined && failure instanceof ApiError && failure.code === "UNAUTHORIZED")
        limits.failed(address);
      throw failure;
    });
  };

  const end = async (caller: SessionCaller): Promise<void> => {
    if (caller.session === undefined) return;
    const principal = await who(caller).catch((failure: unknown) => {
      if (failure instanceof ApiError && failure.status < 500) return undefined;
      throw failure;
    });
    if (!principal) return;
    const { requestId, address } = caller;
    const recordId = principal.authorizationId;
    await records.transaction(async (transaction) => {
      await records.remove("authorization", [recordId], transaction);
      const event = { action: "delete", resource: "authorization", recordId } as const;
      await writeAudit(records, { principal, requestId, address }, event, transaction);
    });
    access.forget();
  };

  return {
    async begin(body, caller) {
      // Look up the device before the network's limit applies: a known device may share its network with strangers.
      if (["link", "key", "passkey"].some((member) => body[member] !== undefined))
        limits.admit(caller.address);
      const begun =
        body.link !== undefined
          ? await byLink(body.link, caller)
          : body.key !== undefined
            ? await byPair(body, caller)
            : body.passkey !== undefined
              ? await byPasskey(body, caller)
              : await byPassword(body, caller);
      await end(caller);
      return begun;
    },
    beginFor: store,
    beginPasskey({ address }) {
      limits.admit(address);
      return secondStep.begin();
    },
    who,
    end,
    async createLink({ key, token }) {
      const person = await access.authenticate({ key, token }, ofHost);
      if (person.restriction || person.authorizationType === "share")
        throw new ApiError("FORBIDDEN", ["sign in with a key pair of type api or login"]);
      return links.make(person);
    },
  };
}
