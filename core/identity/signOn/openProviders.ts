import type { AuthorizationCodeGrantChecks, Configuration, ServerMetadata } from "openid-client";
import type { Log } from "../../catalog/index.ts";
import { ApiError, type Members } from "../../base/index.ts";
import type { Attempt } from "./attempt.ts";
import { claimAt, claimsOf, type Claims } from "./claims.ts";
import { discoverProvider, timeoutS, type GuardedFetch } from "./discoverProvider.ts";
import type { FoundProvider } from "./findProvider.ts";
import { isLoopback, type Provider } from "./provider.ts";
import { isAway, reasonOf } from "./providerFailure.ts";

/** The calls that sign-on makes to OpenID Connect providers. */
export interface Providers {
  /**
   * Returns the URL at which a browser signs on.
   * @throws {ApiError} SIGN_ON_PROVIDER_FAILED
   */
  addressOf(found: FoundProvider, attempt: Attempt, redirectUri: string): Promise<URL>;
  /**
   * Checks the URL to which the provider redirected the browser, and returns the claims of the person who signed on.
   * @throws {ApiError} SIGN_ON_FAILED, SIGN_ON_PROVIDER_FAILED
   */
  claimsOf(found: FoundProvider, attempt: Attempt, returned: URL): Promise<Claims>;
}

export interface ProvidersOptions {
  /** Returns the guarded fetch of an organization. */
  readonly fetchOf: (organizationId: string) => GuardedFetch;
  readonly log: Pick<Log, "warn">;
  /** The clock, in milliseconds since 1970; replaced in tests. */
  readonly now?: () => number;
}

/** Milliseconds for which a discovery document is cached. The provider's keys are read again at each sign-on. */
const keptMs = 300_000;
const keptCount = 1_000;

/**
 * Returns the cache key of an issuer. It contains the organization, because organizations may be allowed to reach
 * different issuers.
 */
const keyOf = (organizationId: string, issuer: string) => `${organizationId} ${issuer}`;

const loadClient = () => import("openid-client");

/**
 * Opens the calls to providers. They use the code flow with PKCE, state and nonce. The response's issuer and the id
 * token's issuer, audience, times and signature are checked, even where TLS would suffice (OpenID Connect Core 1.0,
 * 3.1.3.7; RFC 9207). Each sign-on takes two calls to the provider, or three if some claims are only in the user info.
 */
export function openProviders({ fetchOf, log, now = Date.now }: ProvidersOptions): Providers {
  const kept = new Map<string, { readonly server: ServerMetadata; readonly endsAt: number }>();

  const configure = async ({ row, provider }: FoundProvider): Promise<Configuration> => {
    const client = await loadClient();
    const { issuer, clientId, clientSecret } = provider;
    const { organization_id: organizationId } = row;
    const found = kept.get(keyOf(organizationId, issuer));
    const server =
      found && now() < found.endsAt ? found.server : await discover(organizationId, issuer);
    const isBasic = server.token_endpoint_auth_methods_supported?.includes("client_secret_basic");
    const proof =
      clientSecret === undefined
        ? client.None()
        : (isBasic ?? true)
          ? client.ClientSecretBasic(clientSecret)
          : client.ClientSecretPost(clientSecret);
    const configuration = new client.Configuration(server, clientId, undefined, proof);
    configuration[client.customFetch] = fetchOf(organizationId);
    configuration.timeout = timeoutS;
    client.enableNonRepudiationChecks(configuration);
    if (isLoopback(issuer)) client.allowInsecureRequests(configuration);
    return configuration;
  };

  const discover = async (organizationId: string, issuer: string): Promise<ServerMetadata> => {
    const server = await discoverProvider(issuer, fetchOf(organizationId));
    const [oldest] = kept.keys();
    if (kept.size >= keptCount && oldest !== undefined) kept.delete(oldest);
    kept.set(keyOf(organizationId, issuer), { server, endsAt: now() + keptMs });
    return server;
  };

  /**
   * Logs a failed sign-on and returns its error. The provider's own strings never appear in messages or logs, because
   * they may contain what the person typed at the provider.
   */
  const failed = (failure: unknown, provider: Provider, code: "SIGN_ON_FAILED" | undefined) => {
    if (failure instanceof ApiError) return failure;
    const reason = reasonOf(failure);
    log.warn({ issuer: provider.issuer, reason }, "a sign-on through a provider failed");
    return code === undefined || isAway(failure)
      ? new ApiError("SIGN_ON_PROVIDER_FAILED", [], { cause: failure })
      : new ApiError(code, ["the provider's response is not valid"], { cause: failure });
  };

  return {
    async addressOf(found, attempt, redirectUri) {
      const { provider } = found;
      try {
        const client = await loadClient();
        const configuration = await configure(found);
        return client.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: provider.scopes.join(" "),
          state: attempt.state,
          nonce: attempt.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
          code_challenge_method: "S256",
        });
      } catch (failure) {
        throw failed(failure, provider, undefined);
      }
    },
    async claimsOf(found, attempt, returned) {
      const { provider } = found;
      try {
        const client = await loadClient();
        const configuration = await configure(found);
        const checks: AuthorizationCodeGrantChecks = {
          expectedState: attempt.state,
          expectedNonce: attempt.nonce,
          pkceCodeVerifier: attempt.verifier,
          idTokenExpected: true,
        };
        const tokens = await client.authorizationCodeGrant(configuration, returned, checks);
        const claims: Members<"sub" | "email"> = { ...tokens.claims() };
        const isWhole = ["email", ...claimsOf(provider)].every(
          (claim) => claimAt(claims, claim) !== undefined,
        );
        if (isWhole || configuration.serverMetadata().userinfo_endpoint === undefined)
          return claims;
        const subject = String(claims.sub);
        const info = await client.fetchUserInfo(configuration, tokens.access_token, subject);
        // An address counts as verified only if the document that contains it says so, because the id token and the
        // user info may contain different addresses.
        const { email_verified } = claims.email === undefined ? info : claims;
        return { ...info, ...claims, email_verified };
      } catch (failure) {
        throw failed(failure, provider, "SIGN_ON_FAILED");
      }
    },
  };
}
