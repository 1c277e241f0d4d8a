import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { Provider, type Configuration } from "oidc-provider";

type Json = Readonly<Record<string, unknown>>;

/** An OpenID Connect provider on loopback, with people defined by the test. */
export interface TestProvider {
  readonly issuer: string;
  /** People with their claims, keyed by sign-in name. */
  readonly persons: Map<string, Json>;
  close(): Promise<void>;
}

export const clientId = "manifold";
export const clientSecret = "canary-client-secret-of-a-test";

/**
 * Opens a provider. `redirectUris` is called on the first request, and returns the URIs to which the client may return.
 */
export async function openProvider(redirectUris: () => string[]): Promise<TestProvider> {
  const persons = new Map<string, Json>();
  let answer: ReturnType<Provider["callback"]> | undefined;
  const server = createServer((request, response) => {
    answer ??= createAnswer();
    void answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const createAnswer = () => {
    const provider = new Provider(issuer, configurationOf(persons, redirectUris()));
    provider.use(async (ctx, next) => {
      const uid = /^\/interaction\/([\w-]+)$/.exec(ctx.path)?.[1];
      if (uid === undefined) return next();
      const login = new URLSearchParams(ctx.querystring).get("login");
      if (login === null) {
        // The browser of the tests has no fonts. Links therefore have an explicit size, and there are no input fields.
        const links = [...persons.keys(), "nobody"].map(
          (name) => `<li><a href="?login=${name}">${name}</a>`,
        );
        ctx.type = "html";
        ctx.body = `<!doctype html><html lang="en"><title>Sign in</title><style>a { display: block; width: 200px; height: 20px }</style><ul>${links.join("")}</ul>`;
        return undefined;
      }
      const result = persons.has(login)
        ? { login: { accountId: login } }
        : { error: "access_denied", error_description: "nobody has this name" };
      ctx.status = 303;
      ctx.redirect(await provider.interactionResult(ctx.req, ctx.res, result));
      ctx.status = 303;
      return undefined;
    });
    return provider.callback();
  };
  return {
    issuer,
    persons,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function configurationOf(persons: Map<string, Json>, redirectUris: string[]): Configuration {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = {
    ...privateKey.export({ format: "jwk" }),
    use: "sig",
    alg: "RS256",
    kid: randomUUID(),
  };
  return {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: redirectUris,
        response_types: ["code"],
        grant_types: ["authorization_code"],
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: [randomUUID()] },
    features: { devInteractions: { enabled: false } },
    scopes: ["openid", "email", "profile", "work"],
    claims: {
      openid: ["sub"],
      email: ["email", "email_verified"],
      profile: ["name"],
      work: ["groups", "roles", "department", "customer", "regions", "level"],
    },
    findAccount: (_ctx, id) => {
      const claims = persons.get(id);
      return claims && { accountId: id, claims: () => ({ sub: id, ...claims }) };
    },
    // The provider does not ask users for consent, because all of its clients are ours.
    async loadExistingGrant(ctx) {
      const grant = new ctx.oidc.provider.Grant({
        clientId: ctx.oidc.client!.clientId,
        accountId: ctx.oidc.session!.accountId!,
      });
      grant.addOIDCScope("openid email profile work");
      await grant.save();
      return grant;
    },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    ttl: { Session: 3600, Grant: 3600, Interaction: 600, AccessToken: 600, IdToken: 600 },
  };
}
