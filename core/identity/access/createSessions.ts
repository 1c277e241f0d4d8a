import { randomUUID } from "node:crypto";
import type { Knex } from "knex";
import { type NoteRefusal, writeAudit } from "../../catalog/index.ts";
import { ApiError, type Principal, type Records } from "../../base/index.ts";
import type { FactorWay, PasskeyOptions, SecondStep, Waits } from "../factors/index.ts";
import { rememberDevice, type RememberedDevice } from "./knownDevices.ts";
import { type PasswordCheck, refuseChangedPassword } from "./createPasswordCheck.ts";
import { codeOf } from "./codeOf.ts";
import { secondStepOf } from "./secondStepOf.ts";
import type { Access } from "./openAccess.ts";
import { comparableEmail } from "./password.ts";
import { personById } from "./personById.ts";
import { isBoundItself } from "./features/refuseWithout.ts";
import { refuseOutside } from "./refuseOutside.ts";
import { signInEvent } from "./signInEvent.ts";
import type { SignInFailures } from "./openSignInFailures.ts";
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
  /** The new secret of the browser; absent if nobody authenticated in this call. */
  readonly remembered?: RememberedDevice;
}

/** Who signs in, and from where. */
export interface SessionCaller extends CallSource {
  readonly requestId: string;
  /** Secret that identifies a browser which has signed in before. */
  readonly knownDevice?: string | undefined;
  /** The call did not leave the machine of the host. */
  readonly isLocal: boolean;
}

/** Sessions of browsers: tokens of type login whose secret is in a cookie alone. */
export interface Sessions {
  /**
   * Begins a session by `email` and `password` (with `code` for a user with a second factor), by `passkey` and
   * `ticket`, by `key` and `token`, or by a `link`; ends the session of the cookie that the caller has, so that nobody
   * goes on with a session that someone else set.
   * @throws {ApiError} UNAUTHORIZED, SECOND_FACTOR_REQUIRED, SECOND_FACTOR_WRONG, SECOND_FACTOR_WAIT,
   * SIGN_IN_LINK_INVALID, FORBIDDEN for tokens of other types than api and login, and what limits say
   */
  begin(body: Readonly<Record<string, unknown>>, caller: SessionCaller): Promise<BegunSession>;
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

/** A session ends a week after its begin, and after a day without a call. */
const sessionMs = 7 * 86_400_000;
const idleSessionS = 86_400;

const longestDevice = 200;

/** The program that runs the host makes links; who uses one is asked from where. */
const ofHost: CallSource = { address: "", origin: undefined, isOfHost: true };

type Json = Readonly<Record<string, unknown>>;

const provable = `
  select 1 from user_password where user_id = :user
  union all select 1 from second_factor where user_id = :user
  union all select 1 from sign_on_identity where user_id = :user
  union all select 1 from provisioned_user where user_id = :user`;

const parentMembers = [
  "expiry",
  "inactivity_interval",
  "allowed_origins",
  "allowed_addresses",
  "feature_overrides",
];

/** By what a session began. */
interface Origin {
  readonly parentId?: string;
  readonly configId?: string;
  readonly lifeMs?: number;
  /** The second factor of the sign-in. */
  readonly factor?: FactorWay | undefined;
  /** The person proved who it is, by password or passkey. */
  readonly isProved?: boolean;
}

interface Parent {
  readonly expiry: Date;
  readonly inactivity_interval: number | null;
  readonly allowed_origins: string[] | null;
  readonly allowed_addresses: string[] | null;
  readonly feature_overrides: string[] | null;
}

/** Makes the sessions of browsers. One transaction to begin or to end one. */
export function createSessions(options: SessionsOptions): Sessions {
  const { records, access, checkPassword, secondStep, failures, limits, waits } = options;
  const { now = Date.now } = options;
  const links = createSignInLinks(now);

  /**
   * Stores a session. `parentId`: the token that began it, with which it ends, and whose bounds it has; `configId`: the
   * ssoconfig, with which it ends too.
   */
  const store = async (
    person: Principal,
    { parentId, configId, lifeMs = sessionMs, factor, isProved = false }: Origin,
    caller: SessionCaller,
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
    const way = configId
      ? "sign_on"
      : parentId
        ? "key_pair"
        : factor === "passkey"
          ? []
          : "password";
    const ways = [way, factor ?? []].flat();
    await refuseOutside(person, { ways, caller, failures }, transaction);
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
      feature_overrides: parent?.feature_overrides ?? null,
      factor: factor ?? null,
      proved_at: isProved ? new Date(now()) : null,
      ip: caller.address,
      device: caller.device?.slice(0, longestDevice) ?? null,
    };
    await records.insert("authorization", values, transaction);
    const isByPasswordAlone = !factor && !configId && !parentId;
    const demanding: unknown = isByPasswordAlone
      ? await transaction("organization")
          .where({ id: person.organizationId, require_second_factor: true })
          .first("id")
      : undefined;
    const principal: Principal = {
      ...person,
      authorizationId: id,
      authorizationType: "login",
      ...(demanding !== undefined && { lacksFactor: true }),
    };
    const event = signInEvent(id, ways, caller.address);
    const { requestId, address } = caller;
    await writeAudit(records, { principal, requestId, address }, event, transaction);
    const begun = { value: presentSession({ id, secret }), expiresAt, principal };
    if (!isProved || parentId !== undefined) return begun;
    const { userId } = person;
    const remembered = await rememberDevice(userId, caller.knownDevice, now(), transaction);
    return { ...begun, remembered };
  };

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

  const byPasskey = async ({ ticket, passkey }: Json, caller: SessionCaller) => {
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
        body["link"] !== undefined
          ? await byLink(body["link"], caller)
          : body["key"] !== undefined
            ? await byPair(body, caller)
            : body["passkey"] !== undefined
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
