/** Returns the second factor of a body. Existing clients send it as `token`, with e-mail address and password. */
export function codeOf(body: Readonly<Record<string, unknown>>): unknown {
  return body["code"] ?? body["token"];
}
