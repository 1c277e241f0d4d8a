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

/** Bytes of a body without credentials; a larger one is not parsed. */
const anonymousBytes = 64 * 2 ** 10;

/** Makes the step that identifies the caller, within the limits of its address and token. */
export function createIdentify({
  authenticate,
  limits,
  isSignUpOpen,
}: IdentifyOptions): NonNullable<BodyOptions["identify"]> {
  return async (envelope, { address, origin, session, resource = "" }, sizeBytes) => {
    const isNamed = session !== undefined;
    if (!isNamed && sizeBytes <= anonymousBytes && isAnonymous(envelope, resource, isSignUpOpen)) {
      limits.visited(address);
      // Whoever signs up leaves records behind: as many as wrong pairs are taken of an address.
      if (resource === "user") limits.failed(address);
      return anonymous;
    }
    const principal = await authenticate(envelope, { address, origin, session });
    // Who holds a private link is one of many: they are counted by address, so that one does not close it for the
    // others.
    if (principal.authorizationType === "share") limits.visited(address);
    else limits.called(principal.authorizationId);
    return principal;
  };
}
