import { timingSafeEqual } from "node:crypto";
import { ApiError, type Principal, type Members } from "../../base/index.ts";
import { readCredentials, type AccessOptions, type Credentials } from "./readCredentials.ts";
import { type CallSource, refusedSource } from "./tokens/callSource.ts";
import { hashSession, parseSession } from "./tokens/sessionToken.ts";
import { hashToken } from "./tokens/token.ts";

/** The key and token in a body, before they are checked. */
export interface GivenPair {
  readonly key: unknown;
  readonly hash: Buffer;
  readonly isComplete: boolean;
}

/** Minimum milliseconds between two writes of a token's last use. The stored time may be outdated by this much. */
export const usageEveryMs = 60_000;

/**
 * The hash to compare with if the key is unknown, so that the check takes as long as for a known key. No string has
 * this hash.
 */
const noHash = Buffer.alloc(32);

/**
 * Returns the key pair of a call: the pair of its session, or the `key` and `token` of its body if the call has no
 * session.
 */
export function pairOf(body: Members, session?: string): GivenPair {
  if (session !== undefined) {
    const { id, secret } = parseSession(session);
    return { key: id, hash: hashSession(secret), isComplete: secret !== "" };
  }
  const valueOf = (member: string) => (Object.hasOwn(body, member) ? body[member] : undefined);
  const token = valueOf("token");
  const isComplete = typeof token === "string";
  return { key: valueOf("key"), hash: hashToken(isComplete ? token : ""), isComplete };
}

/** Returns whether a token has been unused for longer than allowed. */
export function isIdle({ lastUsedAt, inactivityMs }: Credentials, now: number): boolean {
  return now - lastUsedAt > inactivityMs + usageEveryMs;
}

/**
 * Returns whether a key pair is valid now. Tokens are always compared, in constant time, so that the response time does
 * not reveal why a pair is invalid.
 */
export function isGood(
  found: Credentials | undefined,
  { hash, isComplete }: GivenPair,
  now: number,
): found is Credentials {
  const isEqual = timingSafeEqual(hash, found?.tokenHash ?? noHash);
  return (
    found !== undefined && isEqual && isComplete && now < found.expiresAt && !isIdle(found, now)
  );
}

/**
 * Refuses a valid key pair whose token may not be used from the caller's address or origin.
 * @throws {ApiError} SOURCE_REFUSED; if `source` is undefined, every token that has a list of sources is refused
 */
export function refuseElsewhere({ sources }: Credentials, source: CallSource | undefined): void {
  const refused = refusedSource(sources, source);
  if (refused !== undefined) throw new ApiError("SOURCE_REFUSED", [refused]);
}

/**
 * Refuses callers who signed in with only a password although their organization requires a second factor. They may
 * only add a second factor.
 * @throws {ApiError} SECOND_FACTOR_MISSING
 */
export function refuseWithoutFactor(
  { lacksFactor }: Pick<Credentials, "lacksFactor">,
  source: CallSource | undefined,
): void {
  if (lacksFactor && source?.isEnrolling !== true) throw new ApiError("SECOND_FACTOR_MISSING");
}

/** Returns the principal of valid credentials. If the call has a session, the principal says so. */
export function principalIn(
  { principal, lacksFactor }: Pick<Credentials, "principal" | "lacksFactor">,
  session: string | undefined,
): Principal {
  const own = lacksFactor ? { ...principal, lacksFactor } : principal;
  return session === undefined ? own : { ...own, isSession: true };
}

/**
 * Returns the principal of a call, identified by the `key` and `token` of its body. Executes one SQL statement, even
 * for an invalid body.
 * @throws {ApiError} UNAUTHORIZED, without the reason, if the key or token is missing, wrong, revoked, expired or
 * unused for too long; SOURCE_REFUSED; SECOND_FACTOR_MISSING
 */
export async function authenticate(
  options: AccessOptions,
  body: Members,
  source?: CallSource,
): Promise<Principal> {
  const pair = pairOf(body, source?.session);
  const found = await readCredentials(options, pair.key);
  if (!isGood(found, pair, Date.now())) throw new ApiError("UNAUTHORIZED");
  refuseElsewhere(found, source);
  refuseWithoutFactor(found, source);
  return principalIn(found, source?.session);
}
