import { type CallSource, isAnonymous } from "../../identity/index.ts";
import { anonymous, type Principal } from "../../base/index.ts";
import type { BodyOptions } from "./body.ts";
import type { CallLimits } from "./limits.ts";

export interface IdentifyOptions {
  authenticate(envelope: Readonly<Record<string, unknown>>, source: CallSource): Promise<Principal>;
  readonly limits: Pick<CallLimits, "admit" | "failed" | "called" | "visited">;
  /** Whether callers without a key pair may create a user and an organization. */
  readonly isSignUpOpen: boolean;
}

/** Maximum bytes of a body without credentials. Larger bodies are not parsed. */
const anonymousBytes = 64 * 2 ** 10;

/** Creates the function that identifies the caller, within the limits of the caller's address and token. */
export function createIdentify({
  authenticate,
  limits,
  isSignUpOpen,
}: IdentifyOptions): NonNullable<BodyOptions["identify"]> {
  return async (envelope, { address, origin, session, resource = "" }, sizeBytes) => {
    const isNamed = session !== undefined;
    if (!isNamed && sizeBytes <= anonymousBytes && isAnonymous(envelope, resource, isSignUpOpen)) {
      limits.visited(address);
      // Each sign-up creates records, so an address may sign up only as often as it may send wrong key pairs.
      if (resource === "user") limits.failed(address);
      return anonymous;
    }
    const principal = await authenticate(envelope, { address, origin, session });
    // Many people share a private link. They are counted by address, so that no visitor can block the link for the
    // others.
    if (principal.authorizationType === "share") limits.visited(address);
    else limits.called(principal.authorizationId);
    return principal;
  };
}
