import type { ServerMetadata } from "openid-client";
import { ApiError, type Handler, isList, type Records } from "../../base/index.ts";
import { claimsOf } from "./claims.ts";
import { discoverProvider, type GuardedFetch } from "./discoverProvider.ts";
import { findOwned } from "./findOwned.ts";
import { parseProvider, type Provider } from "./provider.ts";
import { codeOf, isAway } from "./providerFailure.ts";

export interface TestProviderOptions {
  readonly records: Pick<Records, "visible">;
  readonly fetchOf: (organizationId: string) => GuardedFetch;
}

const endpoints = [
  "authorization_endpoint",
  "token_endpoint",
  "userinfo_endpoint",
  "jwks_uri",
] as const;
const textLength = 500;

/**
 * Creates the action `test` of `ssoconfig`. It reads the provider's discovery document and returns whether people can
 * sign on. `outcome` is passed or failed; `problems` prevent a sign-on, and `warnings` may prevent one. Signs nobody on
 * and stores nothing. Makes one call to the provider.
 * @throws {ApiError} RECORD_NOT_FOUND for callers who do not own the organization; CONFLICT for an unsupported type
 */
export function testProvider({ records, fetchOf }: TestProviderOptions): Handler {
  return async ({ body, principal }) => {
    const row = await findOwned(records, body.id, principal);
    if (row.type !== "openid")
      throw new ApiError("CONFLICT", [
        `people cannot sign on through an ssoconfig of type ${row.type}; create one of type openid`,
      ]);
    const provider = parseProvider(row.config);
    try {
      const server = await discoverProvider(provider.issuer, fetchOf(row.organization_id));
      const problems = problemsOf(server);
      const outcome = problems.length === 0 ? "passed" : "failed";
      const found = Object.fromEntries(
        endpoints.map((name) => [name, server[name]?.slice(0, textLength) ?? null]),
      );
      return { id: row.id, outcome, problems, warnings: warningsOf(server, provider), ...found };
    } catch (failure) {
      if (failure instanceof ApiError) throw failure;
      const none = Object.fromEntries(endpoints.map((name) => [name, null]));
      return {
        id: row.id,
        outcome: "failed",
        problems: [sayFailure(failure)],
        warnings: [],
        ...none,
      };
    }
  };
}

/** Returns a description of a failure, without the provider's own strings. */
function sayFailure(failure: unknown): string {
  const code = codeOf(failure);
  const reason = code === undefined ? "" : ` (${code})`;
  return isAway(failure)
    ? `The provider could not be reached, or failed${reason}. Check the issuer; if it is in a private network, ask the operator to allow it for your organization in MANIFOLD_EGRESS_ALLOW.`
    : `The discovery document is not valid${reason}. Its issuer must be exactly the issuer of the config.`;
}

function lacks(supported: unknown, wanted: string): boolean {
  return isList(supported) && !supported.includes(wanted);
}

function problemsOf(server: ServerMetadata): string[] {
  return [
    ...(server.authorization_endpoint === undefined || server.token_endpoint === undefined
      ? ["The provider has no endpoints for the code flow."]
      : []),
    ...(lacks(server.response_types_supported, "code")
      ? ["The provider does not support the code flow (response type code)."]
      : []),
    ...(lacks(server.code_challenge_methods_supported, "S256")
      ? ["The provider does not support PKCE with S256."]
      : []),
  ];
}

function warningsOf(server: ServerMetadata, provider: Provider): string[] {
  const scopes = provider.scopes.filter((each) => lacks(server.scopes_supported, each));
  const claims = claimsOf(provider).filter((each) =>
    lacks(server.claims_supported, each.split(".")[0] ?? each),
  );
  return [
    ...(scopes.length > 0 ? [`The provider does not list the scopes ${scopes.join(", ")}.`] : []),
    ...(claims.length > 0 ? [`The provider does not list the claims ${claims.join(", ")}.`] : []),
    ...(server.code_challenge_methods_supported === undefined
      ? ["The provider does not say whether it supports PKCE."]
      : []),
  ];
}
