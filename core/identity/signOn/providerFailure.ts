import { messageOf } from "../../base/index.ts";

/** Returns the code of a failure of a provider, else its message, cut: for the log. */
export function reasonOf(failure: unknown): string {
  return codeOf(failure) ?? messageOf(failure).slice(0, 200);
}

/** Returns the code of a failure, which is never a text of the provider. */
export function codeOf(failure: unknown): string | undefined {
  const code = failure instanceof Error && "code" in failure ? String(failure.code) : "";
  return /^\w+$/.test(code) ? code : undefined;
}

const away = [
  "OAUTH_TIMEOUT",
  "OAUTH_ABORT",
  "PLUGIN_TIMEOUT",
  "PLUGIN_INVALID",
  "PLUGIN_SOURCE_FAILED",
];

/** Returns whether the provider was not reached, took too long, or failed itself. */
export function isAway(failure: unknown): boolean {
  for (let each = failure; each instanceof Error; each = each.cause) {
    if (away.includes(reasonOf(each))) return true;
    if ("status" in each && Number(each.status) >= 500) return true;
    if (each.cause instanceof Response && each.cause.status >= 500) return true;
  }
  return false;
}
