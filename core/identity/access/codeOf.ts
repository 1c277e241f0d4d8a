import type { Members } from "../../base/index.ts";
/** Returns the second factor in a body. Existing clients send it as `token`, with e-mail address and password. */
export function codeOf(body: Members<"code" | "token">): unknown {
  return body.code ?? body.token;
}
