import { randomUUID } from "node:crypto";
import type { Knex } from "knex";
import { ApiError, type Principal, type Records } from "../../base/index.ts";
import { writeAudit } from "../../catalog/index.ts";
import type { FactorWay } from "../factors/index.ts";
import { rememberDevice, type RememberedDevice } from "./knownDevices.ts";
import type { SignInFailures } from "./openSignInFailures.ts";
import { refuseOutside } from "./refuseOutside.ts";
import { signInEvent } from "./signInEvent.ts";
import type { CallSource } from "./tokens/callSource.ts";
import { hashSession, presentSession } from "./tokens/sessionToken.ts";
import { createToken } from "./tokens/token.ts";

/** A new session: its cookie value, and the latest time at which it expires. */
export interface BegunSession {
  readonly value: string;
  readonly expiresAt: Date;
  readonly principal: Principal;
  /** The new device secret of the browser; absent if the person did not authenticate in this call. */
  readonly remembered?: RememberedDevice;
}

/** The source of a sign-in, with the request and the browser's known device. */
export interface SessionCaller extends CallSource {
  readonly requestId: string;
  /** The secret that identifies a browser that has signed in before. */
  readonly knownDevice?: string | undefined;
  /** Whether the call came from the host's own machine. */
  readonly isLocal: boolean;
}

/**
 * How a session started and how the person authenticated. Without `parentId`, `configId` and `isByOperator`, the person
 * signed in on this host.
 */
export interface SessionOrigin {
  /** The token that started the session. The session has the token's restrictions and is revoked with the token. */
  readonly parentId?: string;
  /** The ssoconfig that started the session. The session is revoked with the ssoconfig. */
  readonly configId?: string;
  readonly lifeMs?: number;
  /** The second factor of the sign-in. */
  readonly factor?: FactorWay | undefined;
  /** Whether the person used a sign-in link that the operator of the host created. */
  readonly isByOperator?: boolean;
  /** Whether the person authenticated with a password or passkey. */
  readonly isProved?: boolean;
}

interface Parent {
  readonly expiry: Date;
  readonly inactivity_interval: number | null;
  readonly allowed_origins: string[] | null;
  readonly allowed_addresses: string[] | null;
  readonly feature_overrides: string[] | null;
}

const parentMembers = [
  "expiry",
  "inactivity_interval",
  "allowed_origins",
  "allowed_addresses",
  "feature_overrides",
];

/** Maximum duration of a session: a week. A session expires earlier if it is not used for a day. */
const sessionMs = 7 * 86_400_000;
const idleSessionS = 86_400;

const longestDevice = 200;

export interface StoreSessionOptions {
  readonly records: Records;
  readonly failures: Pick<SignInFailures, "note">;
  /** Returns the current time in milliseconds since 1970. */
  now(): number;
}

/**
 * Stores a session of a person, and writes an audit event that says how the session started.
 * @throws {ApiError} UNAUTHORIZED when the token that started the session no longer exists; the errors of
 * `refuseOutside`
 */
export async function storeSession(
  begun: {
    readonly person: Principal;
    readonly origin: SessionOrigin;
    readonly caller: SessionCaller;
  },
  { records, failures, now }: StoreSessionOptions,
  transaction: Knex.Transaction,
): Promise<BegunSession> {
  const { person, origin, caller } = begun;
  const { parentId, configId, lifeMs = sessionMs, factor } = origin;
  const { isByOperator = false, isProved = false } = origin;
  const parent = parentId === undefined ? undefined : await expectParent(parentId, transaction);
  const ways = waysOf(origin);
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
  const isByPasswordAlone = !factor && !configId && !parentId && !isByOperator;
  const lacksFactor = isByPasswordAlone && (await requiresFactor(person, transaction));
  const principal: Principal = {
    ...person,
    authorizationId: id,
    authorizationType: "login",
    ...(lacksFactor && { lacksFactor }),
  };
  const event = signInEvent(id, ways, caller.address);
  const { requestId, address } = caller;
  await writeAudit(records, { principal, requestId, address }, event, transaction);
  const session = { value: presentSession({ id, secret }), expiresAt, principal };
  if (!isProved || parentId !== undefined || isByOperator) return session;
  const { userId } = person;
  const remembered = await rememberDevice(userId, caller.knownDevice, now(), transaction);
  return { ...session, remembered };
}

/**
 * Reads the token that started a session, and locks the token until the transaction ends.
 * @throws {ApiError} UNAUTHORIZED
 */
async function expectParent(id: string, transaction: Knex.Transaction): Promise<Parent> {
  const parent: Parent | undefined = await transaction("authorization")
    .where({ id })
    .forShare()
    .first(...parentMembers);
  if (!parent) throw new ApiError("UNAUTHORIZED");
  return parent;
}

/** Returns the steps of a person's sign-in, as the audit names them. */
function waysOf(origin: SessionOrigin): readonly string[] {
  const { configId, parentId, isByOperator, factor } = origin;
  if (isByOperator) return ["operator_link"];
  const usual = factor === "passkey" ? [] : "password";
  const first = configId ? "sign_on" : parentId ? "key_pair" : usual;
  return [first, factor ?? []].flat();
}

/** Returns whether a person's organization requires a second factor. */
async function requiresFactor(
  { organizationId }: Principal,
  transaction: Knex.Transaction,
): Promise<boolean> {
  const requiring: unknown = await transaction("organization")
    .where({ id: organizationId, require_second_factor: true })
    .first("id");
  return requiring !== undefined;
}
