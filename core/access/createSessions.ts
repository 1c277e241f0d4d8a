import { randomUUID } from "node:crypto";
import type { Knex } from "knex";
import { writeAudit } from "../audit/index.ts";
import type { Principal, Records } from "../contracts/index.ts";
import { ApiError } from "../errors.ts";
import { type PasswordCheck, refuseChangedPassword } from "./createPasswordCheck.ts";
import type { Access } from "./openAccess.ts";
import { personOf } from "./principalOf.ts";
import { createSignInLinks } from "./signInLinks.ts";
import type { CallSource } from "./tokens/callSource.ts";
import { hashSession, presentSession } from "./tokens/sessionToken.ts";
import { createToken } from "./tokens/token.ts";

/** A session that has begun: the value of its cookie, and when it ends at the latest. */
export interface BegunSession {
  readonly value: string;
  readonly expiresAt: Date;
  readonly principal: Principal;
}

/** Who signs in, and from where. */
export interface SessionCaller extends CallSource {
  readonly requestId: string;
  /** The call did not leave the machine of the host. */
  readonly isLocal: boolean;
}

/** Sessions of browsers: tokens of type login whose secret is in a cookie alone. */
export interface Sessions {
  /**
   * Begins a session by `email` and `password`, by `key` and `token`, or by a `link`; ends the session of the cookie
   * that the caller has, so that nobody goes on with a session that someone else set.
   * @throws {ApiError} UNAUTHORIZED, SIGN_IN_LINK_INVALID, FORBIDDEN for tokens of other types than api and login, and
   * what limits say
   */
  begin(body: Readonly<Record<string, unknown>>, caller: SessionCaller): Promise<BegunSession>;
  /** Begins a session for a person whom the provider of an ssoconfig vouched for, with which it ends. */
  beginFor(
    person: Principal,
    bounds: { readonly configId: string; readonly lifeMs: number },
    requestId: string,
    transaction: Knex.Transaction,
  ): Promise<BegunSession>;
  /** Returns who a cookie stands for. @throws {ApiError} UNAUTHORIZED */
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
  readonly limits: { admit(address: string): void; failed(address: string): void };
  /** Milliseconds since 1970; the clock of tests. */
  readonly now?: () => number;
}

/** A session ends a week after its begin, and after a day without a call. */
const sessionMs = 7 * 86_400_000;
const idleSessionS = 86_400;

const parentMembers = ["expiry", "inactivity_interval", "allowed_origins", "allowed_addresses"];

/** By what a session began. */
interface Origin {
  readonly parentId?: string;
  readonly configId?: string;
  readonly lifeMs?: number;
}

interface Parent {
  readonly expiry: Date;
  readonly inactivity_interval: number | null;
  readonly allowed_origins: string[] | null;
  readonly allowed_addresses: string[] | null;
}

/** Makes the sessions of browsers. One transaction to begin or to end one. */
export function createSessions(options: SessionsOptions): Sessions {
  const { records, access, checkPassword, limits, now = Date.now } = options;
  const links = createSignInLinks(now);

  /**
   * Stores a session. `parentId`: the token that began it, with which it ends, and whose bounds it has; `configId`: the
   * ssoconfig, with which it ends too.
   */
  const store = async (
    person: Principal,
    { parentId, configId, lifeMs = sessionMs }: Origin,
    requestId: string,
    transaction: Knex.Transaction,
  ): Promise<BegunSession> => {
    const parent: Parent | undefined =
      parentId === undefined
        ? undefined
        : await transaction("authorization")
            .where({ id: parentId })
            .forShare()
            .first(...parentMembers);
    if (parentId !== undefined && !parent) throw new ApiError("UNAUTHORIZED");
    const [id, secret] = [randomUUID(), createToken()];
    const longest = now() + Math.min(lifeMs, sessionMs);
    const expiresAt = new Date(Math.min(longest, parent?.expiry.getTime() ?? longest));
    const idleS = parent?.inactivity_interval || idleSessionS;
    const values = {
      id,
      type: "login" as const,
      description: "session of the console",
      user_id: person.userId,
      parent_id: parentId ?? null,
      ssoconfig_id: configId ?? null,
      token_hash: hashSession(secret),
      expiry: expiresAt,
      inactivity_interval: Math.min(idleS, idleSessionS),
      allowed_origins: parent?.allowed_origins ?? null,
      allowed_addresses: parent?.allowed_addresses ?? null,
    };
    await records.insert("authorization", values, transaction);
    const principal: Principal = { ...person, authorizationId: id, authorizationType: "login" };
    const event = { action: "create", resource: "authorization", recordId: id } as const;
    await writeAudit(records, { principal, requestId }, event, transaction);
    return { value: presentSession({ id, secret }), expiresAt, principal };
  };

  const byPassword = async (
    body: Readonly<Record<string, unknown>>,
    { address, requestId }: SessionCaller,
  ) => {
    const person = await checkPassword(body, address);
    return records.transaction(async (transaction) => {
      await refuseChangedPassword(person, transaction);
      const principal = personOf("", "login", person.user, person.standing);
      return store(principal, {}, requestId, transaction);
    });
  };

  const byParent = (person: Principal, requestId: string) =>
    records.transaction((transaction) =>
      store(person, { parentId: person.authorizationId }, requestId, transaction),
    );

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
    return byParent(person, caller.requestId);
  };

  const byLink = async (link: unknown, caller: SessionCaller) => {
    const found = caller.isLocal && typeof link === "string" ? links.take(link) : undefined;
    if (!found) {
      limits.failed(caller.address);
      throw new ApiError("SIGN_IN_LINK_INVALID");
    }
    return byParent(found, caller.requestId);
  };

  /** Finds who a cookie belongs to. A cookie of no session counts as a failed attempt of its address. */
  const who = async (caller: Omit<SessionCaller, "requestId" | "isLocal">): Promise<Principal> => {
    const { address, origin, session } = caller;
    if (session !== undefined) limits.admit(address);
    const source = { address, origin, session: session ?? "" };
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
    const { requestId } = caller;
    const recordId = principal.authorizationId;
    await records.transaction(async (transaction) => {
      await records.remove("authorization", [recordId], transaction);
      const event = { action: "delete", resource: "authorization", recordId } as const;
      await writeAudit(records, { principal, requestId }, event, transaction);
    });
    access.forget();
  };

  return {
    async begin(body, caller) {
      limits.admit(caller.address);
      const begun =
        body["link"] !== undefined
          ? await byLink(body["link"], caller)
          : body["key"] !== undefined
            ? await byPair(body, caller)
            : await byPassword(body, caller);
      await end(caller);
      return begun;
    },
    beginFor: store,
    who,
    end,
    async createLink({ key, token }) {
      const person = await access.authenticate({ key, token });
      if (person.restriction || person.authorizationType === "share")
        throw new ApiError("FORBIDDEN", ["sign in with a key pair of type api or login"]);
      return links.make(person);
    },
  };
}
