import { timingSafeEqual } from "node:crypto";
import { ApiError, type Principal, type Members } from "../../base/index.ts";
import { readCredentials, type AccessOptions, type Credentials } from "./readCredentials.ts";
import { type CallSource, refusedSource } from "./tokens/callSource.ts";
import { hashSession, parseSession } from "./tokens/sessionToken.ts";
import { hashToken } from "./tokens/token.ts";

/** The unchecked key and token of a body. */
export interface GivenPair {
  readonly key: unknown;
  readonly hash: Buffer;
  readonly isComplete: boolean;
}

/** Last uses are written at most once per minute, so the stored value may be this much too old. */
export const usageEveryMs = 60_000;

/**
 * The hash to compare if the key is unknown, so that this takes as long as for a known key. No string has this hash.
 */
const noHash = Buffer.alloc(32);

/** Returns the pair of a call: its session if it has one, otherwise the `key` and `token` of its body. */
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
 * Returns whether a pair is valid now. Tokens are always compared, in constant time, so that the response time does not
 * reveal the reason.
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
 * Refuses a valid pair that is used from a source its token does not allow.
 * @throws {ApiError} SOURCE_REFUSED; without a source, for every token that allows only some
 */
export function refuseElsewhere({ sources }: Credentials, source: CallSource | undefined): void {
  const refused = refusedSource(sources, source);
  if (refused !== undefined) throw new ApiError("SOURCE_REFUSED", [refused]);
}

/**
 * Refuses callers who signed in with only a password although the organization requires a second factor. They may only
 * add one.
 * @throws {ApiError} SECOND_FACTOR_MISSING
 */
export function refuseWithoutFactor(
  { lacksFactor }: Pick<Credentials, "lacksFactor">,
  source: CallSource | undefined,
): void {
  if (lacksFactor && source?.isEnrolling !== true) throw new ApiError("SECOND_FACTOR_MISSING");
}

/** Returns the principal of valid credentials, and marks it if they came with a console session. */
export function principalIn(
  { principal, lacksFactor }: Pick<Credentials, "principal" | "lacksFactor">,
  session: string | undefined,
): Principal {
  const own = lacksFactor ? { ...principal, lacksFactor } : principal;
  return session === undefined ? own : { ...own, isSession: true };
}

/**
 * Returns the principal of a call by the `key` and `token` of its body. One SQL statement for any body.
 * @throws {ApiError} UNAUTHORIZED when they are missing, wrong, revoked, expired or unused for too long, without saying
 * which; SOURCE_REFUSED; SECOND_FACTOR_MISSING
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
