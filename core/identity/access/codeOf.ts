import type { Members } from "../../base/index.ts";
/** Returns the second factor in a body. Older clients send it as `token`, next to e-mail address and password. */
export function codeOf(body: Members<"code" | "token">): unknown {
  return body.code ?? body.token;
}
