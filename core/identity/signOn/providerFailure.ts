import { messageOf } from "../../base/index.ts";

/** Returns the code of a provider's failure for the log, or otherwise its shortened message. */
export function reasonOf(failure: unknown): string {
  return codeOf(failure) ?? messageOf(failure).slice(0, 200);
}

/** Returns the code of a failure. It never contains the provider's own strings. */
export function codeOf(failure: unknown): string | undefined {
  const code = failure instanceof Error && "code" in failure ? failure.code : undefined;
  return typeof code === "string" && /^\w+$/.test(code) ? code : undefined;
}

const away = [
  "OAUTH_TIMEOUT",
  "OAUTH_ABORT",
  "PLUGIN_TIMEOUT",
  "PLUGIN_INVALID",
  "PLUGIN_SOURCE_FAILED",
];

/** Returns whether the provider could not be reached, took too long, or had an internal error. */
export function isAway(failure: unknown): boolean {
  for (let each = failure; each instanceof Error; each = each.cause) {
    if (away.includes(reasonOf(each))) return true;
    if ("status" in each && Number(each.status) >= 500) return true;
    if (each.cause instanceof Response && each.cause.status >= 500) return true;
  }
  return false;
}
