import { HostError } from "../host/index.ts";
import { viewWordsOf } from "../view/index.ts";

/** Returns what a reader is shown of a failure. One whose token ended can only load the page anew. */
export function messageOf(failure: unknown, localeId: string): string {
  if (failure instanceof HostError && failure.status === 401)
    return viewWordsOf(localeId).tokenEnded;
  return failure instanceof Error ? failure.message : String(failure);
}
