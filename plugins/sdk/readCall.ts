import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { type Credentials, PluginError, type User } from "../protocol/index.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * Refuses a request whose X-Secret is not one of the secrets. The comparison takes the same time for every value of the
 * header.
 * @throws {PluginError} PLUGIN_FORBIDDEN
 */
export function checkSecret(headers: IncomingHttpHeaders, secrets: readonly string[]): void {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const header = headers["x-secret"];
  const given = digest(typeof header === "string" ? header : "");
  if (secrets.filter((each) => timingSafeEqual(given, digest(each))).length === 0)
    throw new PluginError("PLUGIN_FORBIDDEN", ["the header X-Secret is missing or wrong"]);
}

/**
 * Reads the credentials of a request from the headers X-Host, X-Key, X-Token and X-Property-<id>. The ids arrive in
 * lower case. Hosts of old versions send host, key and token in the body of /authorize instead.
 */
export function readCredentials(headers: IncomingHttpHeaders, body: Members): Credentials {
  const properties = new Map<string, string>();
  for (const [name, value] of Object.entries(headers))
    if (name.startsWith("x-property-") && typeof value === "string")
      properties.set(name.slice("x-property-".length), decoded(value));
  const own = (id: string) => {
    const header = headers[`x-${id}`];
    const member = body[id];
    const found = properties.get(id) ?? (typeof header === "string" ? decoded(header) : member);
    properties.delete(id);
    return typeof found === "string" ? { [id]: found } : {};
  };
  const named = { ...own("host"), ...own("key"), ...own("token") };
  return { ...named, properties: Object.fromEntries(properties) };
}

/**
 * Reads the user on whose behalf a request is made. The user is the member `user`, or the body itself for /authorize.
 */
export function readUser(body: Members): { readonly user?: User } {
  const { user } = body;
  const given: { readonly [Member in keyof User]?: unknown } =
    typeof user === "object" && user !== null ? user : body;
  const { id, name, email, metadata } = given;
  if (typeof name !== "string" || typeof id !== "string") return {};
  return {
    user: {
      id,
      name,
      email: typeof email === "string" ? email : "",
      ...(typeof metadata === "object" && metadata !== null && { metadata: metadata as Members }),
    },
  };
}

/**
 * Reads a JSON body. An empty body is read as an empty object.
 * @throws {PluginError} PLUGIN_MALFORMED if it is larger than `sizeBytes` or not a JSON object
 */
export async function readBody(request: IncomingMessage, sizeBytes: number): Promise<Members> {
  const chunks: Buffer[] = [];
  let size = 0;
  const received: AsyncIterable<Buffer> = request;
  for await (const chunk of received) {
    size += chunk.length;
    if (size > sizeBytes)
      throw new PluginError("PLUGIN_MALFORMED", [
        `the body must not be larger than ${sizeBytes} bytes`,
      ]);
    chunks.push(chunk);
  }
  if (size === 0) return {};
  let body: unknown;
  try {
    body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch (cause) {
    throw new PluginError("PLUGIN_MALFORMED", ["the body must be JSON"], { cause });
  }
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new PluginError("PLUGIN_MALFORMED", ["the body must be a JSON object"]);
  return body as Members;
}

/** Decodes a header value: as UTF-8 if it is valid UTF-8, otherwise as Latin-1. */
function decoded(value: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(value, "latin1"));
  } catch {
    return value;
  }
}
