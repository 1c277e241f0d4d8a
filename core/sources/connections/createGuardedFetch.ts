import type { Egress } from "./egress.ts";
import type { Egresses } from "./openEgresses.ts";

/** The options of one call. They cover the part of the Fetch API that the libraries for sign-on and models use. */
export interface FetchCall {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Creates a `fetch` with the egress rules of an organization, for libraries that accept one. Bodies must be strings.
 * Responses are read completely, and their only header is the content type.
 * @throws {PluginError} as `Egress.call` does; {TypeError} for methods other than GET and POST, and for a body that is
 * not a string
 */
export function createGuardedFetch(egresses: Pick<Egresses, "of">, organizationId: string) {
  return async (url: string, call: FetchCall): Promise<Response> => {
    const egress: Pick<Egress, "call"> = await egresses.of(organizationId);
    const { method, headers, body, signal } = call;
    if (method !== "GET" && method !== "POST")
      throw new TypeError(`the method must be GET or POST, not ${method}`);
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
  throw new TypeError("the body must be a string");
}
