import { type Client, createClient } from "../web/client/index.ts";

/**
 * Creates a client from the flags `--url` and `--key`, and otherwise from the environment. The token has no flag,
 * because it would appear in the process list.
 * @throws {Error} that names the missing or invalid variable
 */
export function clientOf(
  values: { readonly url?: string | undefined; readonly key?: string | undefined },
  environment: Readonly<Record<string, string | undefined>>,
): Client {
  const key = values.key ?? environment["MANIFOLD_KEY"];
  const token = environment["MANIFOLD_TOKEN"];
  if (!key || !token)
    throw new Error("MANIFOLD_KEY and MANIFOLD_TOKEN must be set to a key pair of the host");
  const url = values.url ?? (environment["MANIFOLD_URL"] || "http://127.0.0.1:4000");
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new Error("MANIFOLD_URL must be the http or https address of a host");
  return createClient({ url: url.replace(/\/+$/, ""), key, token });
}
