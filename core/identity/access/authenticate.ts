import { timingSafeEqual } from "node:crypto";
import { ApiError, type Principal, type Members } from "../../base/index.ts";
import { readCredentials, type AccessOptions, type Credentials } from "./readCredentials.ts";
import { type CallSource, refusedSource } from "./tokens/callSource.ts";
import { hashSession, parseSession } from "./tokens/sessionToken.ts";
import { hashToken } from "./tokens/token.ts";

/** The key and the token of a body, unchecked. */
export interface GivenPair {
  readonly key: unknown;
  readonly hash: Buffer;
  readonly isComplete: boolean;
}

/** Last uses are written once a minute at most, so that what is written may be this much too old. */
export const usageEveryMs = 60_000;

/** The hash that an unknown key is compared with, so that it takes as long as a known one. No text has this hash. */
const noHash = Buffer.alloc(32);

/** Returns the pair of a call: its session if it has one, else the `key` and `token` of its body. */
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

/** Returns whether a token was left unused for longer than it may be. */
export function isIdle({ lastUsedAt, inactivityMs }: Credentials, now: number): boolean {
  return now - lastUsedAt > inactivityMs + usageEveryMs;
}

/**
 * Returns whether a pair is good now. Tokens are compared in constant time, and always, so that nothing shows why it is
 * not.
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
 * Refuses a good pair that is used from elsewhere than its token allows.
 * @throws {ApiError} SOURCE_REFUSED; without a source, for every token that allows only some
 */
export function refuseElsewhere({ sources }: Credentials, source: CallSource | undefined): void {
  const refused = refusedSource(sources, source);
  if (refused !== undefined) throw new ApiError("SOURCE_REFUSED", [refused]);
}

/**
 * Refuses who signed in by password alone where the organization demands a second factor, but to add one.
 * @throws {ApiError} SECOND_FACTOR_MISSING
 */
export function refuseWithoutFactor(
  { lacksFactor }: Pick<Credentials, "lacksFactor">,
  source: CallSource | undefined,
): void {
  if (lacksFactor && source?.isEnrolling !== true) throw new ApiError("SECOND_FACTOR_MISSING");
}

/** Returns the principal of good credentials, which knows whether it came with the session of a page. */
export function principalIn(
  { principal, lacksFactor }: Pick<Credentials, "principal" | "lacksFactor">,
  session: string | undefined,
): Principal {
  const own = lacksFactor ? { ...principal, lacksFactor } : principal;
  return session === undefined ? own : { ...own, isSession: true };
}

/**
 * Returns the principal of a call by the `key` and `token` of its body. One SQL statement, whatever the body says.
 * @throws {ApiError} UNAUTHORIZED when they are missing, wrong, revoked, expired or left unused too long; never which;
 * SOURCE_REFUSED; SECOND_FACTOR_MISSING
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
