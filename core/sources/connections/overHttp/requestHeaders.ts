import { type Credentials, PluginError } from "../../../../plugins/protocol/index.ts";

const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}$/;

/**
 * Writes the secret and the credentials as headers. Plugins read two forms: X-Key, X-Token and X-Host, and
 * X-Property-<id>, which is sent for these three members and for every custom property. A custom property `key`,
 * `token` or `host` takes precedence over the connection's own member.
 * @throws {PluginError} PLUGIN_INVALID with the property, never its value, if it cannot be sent as a header
 */
export function requestHeaders(
  credentials: Credentials,
  secret: string | undefined,
): Record<string, string> {
  const properties = new Map(
    Object.entries(credentials.properties).map(([id, value]) => [id.toLowerCase(), { id, value }]),
  );
  for (const id of ["host", "key", "token"] as const) {
    const value = credentials[id];
    if (value !== undefined && !properties.has(id)) properties.set(id, { id, value });
  }
  const headers = new Map([["Content-Type", "application/json"]]);
  if (secret !== undefined) headers.set("X-Secret", secret);
  for (const [name, { id, value }] of properties) {
    const isFamiliar = name === "host" || name === "key" || name === "token";
    const shown = isFamiliar ? capitalized(name) : id;
    if (!headerName.test(shown))
      throw new PluginError("PLUGIN_INVALID", [
        `the property ${JSON.stringify(id.slice(0, 100))} must have a name that can be sent as a header`,
      ]);
    const encoded = headerValue(shown, value);
    headers.set(`X-Property-${shown}`, encoded);
    if (isFamiliar) headers.set(`X-${shown}`, encoded);
  }
  return Object.fromEntries(headers);
}

/** Returns a header value. Header values are bytes, so text beyond Latin-1 is sent as UTF-8 bytes. */
function headerValue(name: string, value: string): string {
  if (/[^\P{Cc}\t\u0080-\u009F]/u.test(value))
    throw new PluginError("PLUGIN_INVALID", [
      `the property ${name} must not contain line breaks or other control characters`,
    ]);
  return [...value].some((letter) => letter > "\u00FF")
    ? Buffer.from(value, "utf8").toString("latin1")
    : value;
}

const capitalized = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}`;
