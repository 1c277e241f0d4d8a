import { createHash, generateKeyPairSync, randomUUID, type KeyObject } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, SignJWT, UnsecuredJWT } from "jose";

type Json = Readonly<Record<string, unknown>>;

/** The faults of a provider. By default it has none. */
export interface Lie {
  /** Claims to replace in the id token. Undefined removes a claim. */
  readonly claims?: Json;
  readonly alg?: "none" | "HS256";
  /** Whether the id token is signed with a key that the provider does not publish. */
  readonly isForeignKey?: boolean;
  /** Parameters to replace in the URL to which the provider redirects the browser. */
  readonly returned?: Json;
  /** The issuer in the discovery document. */
  readonly issuer?: string;
  /** The status with which each path responds, by path. */
  readonly status?: Readonly<Record<string, number>>;
  /** The path whose response is not JSON. */
  readonly garbage?: string;
  /** The path whose connection is closed without a response. */
  readonly silent?: string;
  /** Members to replace in the user info response. */
  readonly info?: Json;
}

/** A provider that signs its user in immediately. The test chooses its faults. */
export interface LyingProvider {
  readonly issuer: string;
  lie: Lie;
  /** Paths that were requested. The test can empty the list. */
  readonly requested: string[];
  /** Publishes a new key. From then on, the provider signs tokens with this key. */
  rotate(): void;
  close(): Promise<void>;
}

interface Key {
  readonly id: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const createKey = (): Key => ({
  id: randomUUID(),
  ...generateKeyPairSync("rsa", { modulusLength: 2048 }),
});

const bodyOf = async (request: IncomingMessage) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return new URLSearchParams(Buffer.concat(parts).toString("utf8"));
};

/** Opens a provider for the client `manifold` with the given secret. It checks PKCE correctly. */
export async function openLyingProvider(secret: string): Promise<LyingProvider> {
  let key = createKey();
  let foreign: Key | undefined;
  const codes = new Map<string, URLSearchParams>();
  const requested: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? "/", issuer);
      const path = url.pathname;
      requested.push(path);
      const { lie } = provider;
      if (lie.silent === path) return void request.socket.destroy();
      const status = lie.status?.[path];
      if (path === "/authorize") {
        const code = randomUUID();
        codes.set(code, url.searchParams);
        const back = new URL(url.searchParams.get("redirect_uri") ?? "");
        const members = {
          code,
          state: url.searchParams.get("state"),
          iss: issuer,
          ...lie.returned,
        };
        for (const [name, value] of Object.entries(members))
          if (value !== undefined) back.searchParams.set(name, String(value));
        return void response.writeHead(303, { Location: back.href }).end();
      }
      const given = await answerTo(path, request);
      const isRefused = typeof given === "object" && given !== null && "error" in given;
      const body = lie.garbage === path ? "<html>{" : JSON.stringify(given);
      return void response
        .writeHead(status ?? (isRefused ? 400 : 200), { "Content-Type": "application/json" })
        .end(body);
    })().catch(() => response.writeHead(500).end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const answerTo = async (path: string, request: IncomingMessage): Promise<unknown> => {
    if (path === "/.well-known/openid-configuration")
      return {
        issuer: provider.lie.issuer ?? issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
        authorization_response_iss_parameter_supported: true,
        code_challenge_methods_supported: ["S256"],
      };
    if (path === "/jwks")
      return {
        keys: [{ ...(await exportJWK(key.publicKey)), kid: key.id, alg: "RS256", use: "sig" }],
      };
    if (path === "/userinfo") return { sub: "ada", email: "ada@example.org", ...provider.lie.info };
    const given = await bodyOf(request);
    const began = codes.get(given.get("code") ?? "");
    codes.delete(given.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(given.get("code_verifier") ?? "")
      .digest("base64url");
    if (!began || began.get("code_challenge") !== challenge) return { error: "invalid_grant" };
    return {
      access_token: randomUUID(),
      token_type: "Bearer",
      id_token: await idToken(String(began.get("nonce"))),
    };
  };

  const idToken = async (nonce: string): Promise<string> => {
    const { claims, alg, isForeignKey = false } = provider.lie;
    const at = Math.floor(Date.now() / 1000);
    const honest = { iss: issuer, aud: "manifold", sub: "ada", iat: at, exp: at + 300, nonce };
    const whole = { ...honest, email: "ada@example.org", ...claims };
    if (alg === "none") return new UnsecuredJWT(whole).encode();
    const signed = new SignJWT(whole);
    if (alg === "HS256")
      return signed.setProtectedHeader({ alg }).sign(new TextEncoder().encode(secret));
    const { id, privateKey } = isForeignKey ? { ...(foreign ??= createKey()), id: key.id } : key;
    return signed.setProtectedHeader({ alg: "RS256", kid: id }).sign(privateKey);
  };

  const provider: LyingProvider = {
    issuer,
    lie: {},
    requested,
    rotate() {
      key = createKey();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return provider;
}
