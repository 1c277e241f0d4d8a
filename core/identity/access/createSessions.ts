import type { Knex } from "knex";
import { type NoteRefusal, writeAudit } from "../../catalog/index.ts";
import { ApiError, type Members, nobody, type Principal, type Records } from "../../base/index.ts";
import { chosenOwner, isOwner, type OwnerChoice } from "./firstOwner.ts";
import type { PasskeyOptions, SecondStep, Waits } from "../factors/index.ts";
import { type PasswordCheck, refuseChangedPassword } from "./createPasswordCheck.ts";
import { codeOf } from "./codeOf.ts";
import { verifySecondFactor } from "./verifySecondFactor.ts";
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

/** Browser sessions: tokens of type login whose secret is only in a cookie. */
export interface Sessions {
  /**
   * Starts a session. The body contains `email` and `password` (and `code` for a user with a second factor), `passkey`
   * and `ticket`, `key` and `token`, or a `link`. Revokes the session of the caller's cookie, so that nobody can
   * continue a session that someone else started.
   * @throws {ApiError} UNAUTHORIZED, SECOND_FACTOR_REQUIRED, SECOND_FACTOR_WRONG, SECOND_FACTOR_WAIT,
   * SIGN_IN_LINK_INVALID, FORBIDDEN for tokens of types other than api and login, and the errors of the limits
   */
  start(body: Members<"link" | "key" | "passkey">, caller: SessionCaller): Promise<BegunSession>;
  /**
   * Starts a session for a person whom an identity provider confirmed. Deleting the provider's ssoconfig revokes the
   * session.
   */
  startFor(
    person: Principal,
    bounds: { readonly configId: string; readonly lifeMs: number },
    caller: SessionCaller,
    transaction: Knex.Transaction,
  ): Promise<BegunSession>;
  /**
   * Returns the options for a browser that signs in with a passkey.
   * @throws {ApiError} PASSKEYS_UNAVAILABLE
   */
  offerPasskey(caller: Pick<SessionCaller, "address">): {
    readonly ticket: string;
    readonly options: PasskeyOptions;
  };
  /**
   * Returns the principal of a session cookie, even if the session may only be used to add a second factor.
   * @throws {ApiError} UNAUTHORIZED
   */
  resolve(caller: CallSource): Promise<Principal>;
  /** Revokes the session of a cookie. Does nothing if the cookie has no session. */
  end(caller: SessionCaller): Promise<void>;
  /**
   * Creates a secret that can start a single session, from this machine and within an hour.
   * @throws {ApiError} UNAUTHORIZED
   */
  createLink(pair: { readonly key: string; readonly token: string }): Promise<string>;
  /**
   * Creates the secret of a link for an owner, at the request of the operator of the host. The audit of the owner's
   * organization records it. The user must still be an owner when the link is used.
   * @throws {Error} if the choice matches no owner, or several
   */
  createOwnerLink(
    choice: OwnerChoice,
  ): Promise<{ readonly secret: string; readonly email: string }>;
}

export interface SessionsOptions {
  readonly records: Records;
  readonly access: Access;
  readonly checkPassword: PasswordCheck;
  readonly secondStep: SecondStep;
  readonly waits: Pick<Waits, "endSeries">;
  readonly failures: Pick<SignInFailures, "note">;
  /** Called for each refused sign-in link. */
  readonly noteRefusal?: NoteRefusal;
  readonly limits: {
    admit(address: string): void;
    failed(address: string): void;
  };
  /** The clock, in milliseconds since 1970; replaced in tests. */
  readonly now?: () => number;
}

/**
 * The source of calls by the host's own program, which creates sign-in links. The source of the person is checked only
 * when the link is used.
 */
const ofHost: CallSource = { address: "", origin: undefined, isOfHost: true };

const provable = `
  select 1 from user_password where user_id = :user
  union all select 1 from second_factor where user_id = :user
  union all select 1 from sign_on_identity where user_id = :user
  union all select 1 from provisioned_user where user_id = :user`;

/** Returns whether a user has a password, second factor or provider, with which they can prove who they are. */
async function isProvable(userId: string, transaction: Knex.Transaction): Promise<boolean> {
  const { rows }: { rows: unknown[] } = await transaction.raw(provable, { user: userId });
  return rows.length > 0;
}

/** Creates browser sessions. Starting or ending a session needs one transaction. */
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
    const factor = await verifySecondFactor({ ...options, person, code: codeOf(body), caller });
    return records.transaction(async (transaction) => {
      await refuseChangedPassword(person, transaction);
      if (factor === undefined) await secondStep.refuseAdded(person.user.id, transaction);
      const principal = personOf("", "login", person.user, person.standing);
      return store(principal, { factor, isProved: true }, caller, transaction);
    });
  };

  const byPasskey = async ({ ticket, passkey }: Members, caller: SessionCaller) => {
    const userId = await secondStep.verifyPasskey(ticket, passkey).catch((failure: unknown) => {
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

  /**
   * Starts a session with a key pair. The pair proves the user's identity only if the user has no password, second
   * factor or provider.
   */
  const byParent = (person: Principal, caller: SessionCaller) =>
    records.transaction(async (transaction) => {
      // A caller whose identity counts as proved can add a password, which would bypass the restrictions of this key.
      const isProved = !(await isProvable(person.userId, transaction)) && !isBoundItself(person);
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

  const refuseLink = (caller: SessionCaller): never => {
    limits.failed(caller.address);
    const code = "SIGN_IN_LINK_INVALID";
    options.noteRefusal?.({ way: "link", code, address: caller.address });
    throw new ApiError(code);
  };

  /** Starts a session of an owner. Like a key pair, the link proves the user's identity only if nothing else can. */
  const byOperator = (userId: string, caller: SessionCaller) =>
    records.transaction(async (transaction) => {
      if (!(await isOwner(userId, transaction))) refuseLink(caller);
      const person = await personById(userId, transaction);
      const isProved = !(await isProvable(userId, transaction)) && !isBoundItself(person);
      return store(person, { isByOperator: true, isProved }, caller, transaction);
    });

  const byLink = async (link: unknown, caller: SessionCaller) => {
    const found = caller.isLocal && typeof link === "string" ? links.take(link) : undefined;
    if (!found) return refuseLink(caller);
    return found.kind === "pair"
      ? byParent(found.person, caller)
      : byOperator(found.userId, caller);
  };

  /**
   * Returns the principal of a session cookie. A cookie without a session counts as a failed attempt of the caller's
   * address.
   */
  const resolve = async (
    caller: Omit<SessionCaller, "requestId" | "isLocal">,
  ): Promise<Principal> => {
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
    const principal = await resolve(caller).catch((failure: unknown) => {
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
    async start(body, caller) {
      // For a password, the check of the password limits the address, except for a known device, because strangers may
      // share its network.
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
    startFor: store,
    offerPasskey({ address }) {
      limits.admit(address);
      return secondStep.offerPasskey();
    },
    resolve,
    end,
    async createLink({ key, token }) {
      const person = await access.authenticate({ key, token }, ofHost);
      if (person.restriction || person.authorizationType === "share")
        throw new ApiError("FORBIDDEN", ["sign in with a key pair of type api or login"]);
      return links.make({ kind: "pair", person });
    },
    createOwnerLink: (choice) =>
      records.transaction(async (transaction) => {
        const userId = await chosenOwner(choice, transaction);
        const person = await personById(userId, transaction);
        const principal = { ...person, authorizationId: nobody };
        const event = {
          action: "sign_in_link_create",
          resource: "user",
          recordId: userId,
        } as const;
        await writeAudit(records, { principal, address: undefined }, event, transaction);
        return { secret: links.make({ kind: "owner", userId }), email: person.email };
      }),
  };
}
