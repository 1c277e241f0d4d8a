import type { ServerMetadata } from "openid-client";
import { isLoopback } from "./provider.ts";

/** A call to a provider, by the guarded way out of the host. */
export type GuardedFetch = (
  url: string,
  options: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly signal?: AbortSignal | undefined;
  },
) => Promise<Response>;

/** Seconds within which a provider answers one call. */
export const timeoutS = 10;

/** Reads what a provider says of itself, from its discovery document. One call; rejects as openid-client does. */
export async function discoverProvider(
  issuer: string,
  fetch: GuardedFetch,
): Promise<ServerMetadata> {
  const client = await import("openid-client");
  const configuration = await client.discovery(new URL(issuer), "any", undefined, client.None(), {
    [client.customFetch]: fetch,
    timeout: timeoutS,
    execute: isLoopback(issuer) ? [client.allowInsecureRequests] : [],
  });
  return configuration.serverMetadata();
}
