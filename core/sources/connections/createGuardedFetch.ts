import type { Egress } from "./egress.ts";
import type { Egresses } from "./openEgresses.ts";

/** One call of a library, in the form of the Fetch API as far as libraries for sign-on and models use it. */
export interface FetchCall {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Creates a `fetch` with the egress rules of an organization, for libraries that accept one. Bodies are strings;
 * responses are read completely, and have a content type and no other header.
 * @throws {PluginError} as `Egress.call` does; {TypeError} for another method than GET and POST, and for a body that is
 * no text
 */
export function createGuardedFetch(egresses: Pick<Egresses, "of">, organizationId: string) {
  return async (url: string, call: FetchCall): Promise<Response> => {
    const egress: Pick<Egress, "call"> = await egresses.of(organizationId);
    const { method, headers, body, signal } = call;
    if (method !== "GET" && method !== "POST") throw new TypeError(`no ${method} goes out`);
    const { status, text, contentType } = await egress.call({
      method,
      url,
      headers: { ...headers, ...(body instanceof URLSearchParams && formType) },
      ...(body !== undefined && body !== null && { body: textOf(body) }),
      signal: signal ?? new AbortController().signal,
    });
    const isEmpty = [101, 204, 205, 304].includes(status);
    return new Response(isEmpty ? null : text, {
      status,
      ...(contentType !== undefined && { headers: { "Content-Type": contentType } }),
    });
  };
}

const formType = { "content-type": "application/x-www-form-urlencoded;charset=UTF-8" };

function textOf(body: unknown): string {
  if (typeof body === "string" || body instanceof URLSearchParams) return String(body);
  throw new TypeError("a body that is no text cannot be sent");
}
