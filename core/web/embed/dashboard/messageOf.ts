import { HostError } from "../host/index.ts";
import { viewWordsOf } from "../view/index.ts";

/**
 * Returns the message that readers see for a failure. For an expired token, the message asks them to reload the page.
 */
export function messageOf(failure: unknown, localeId: string): string {
  if (failure instanceof HostError && failure.status === 401)
    return viewWordsOf(localeId).tokenEnded;
  return failure instanceof Error ? failure.message : String(failure);
}
