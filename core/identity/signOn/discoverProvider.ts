import type { ServerMetadata } from "openid-client";
import { isLoopback } from "./provider.ts";

/** Calls a provider through the egress guard of the host. */
export type GuardedFetch = (
  url: string,
  options: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly signal?: AbortSignal | undefined;
  },
) => Promise<Response>;

/** Maximum time for a call to a provider, in seconds. */
export const timeoutS = 10;

/** Reads a provider's discovery document with one call. Rejects with the errors of openid-client. */
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
