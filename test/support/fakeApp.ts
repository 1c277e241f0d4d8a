import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import type { Principal } from "../../core/base/contracts/index.ts";
import { createApp, type ApiParts, type AppParts, type PeopleParts } from "../../core/http/app.ts";
import { ApiError } from "../../core/base/errors.ts";

const principal: Principal = {
  authorizationId: "00000000-0000-4000-8000-000000000001",
  authorizationType: "api",
  userId: "00000000-0000-4000-8000-000000000002",
  organizationId: "00000000-0000-4000-8000-000000000003",
  organizationRole: "owner",
  name: "Ada",
  email: "ada@example.org",
};

export interface RawAnswer {
  readonly status: number;
  readonly reason: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly bytes: Buffer;
  json(): Record<string, unknown>;
}

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Sends an HTTP request with any method. Even a GET can have a body. */
export function send(
  url: string,
  { method = "POST", headers = {}, body = "" }: RawRequest,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      url,
      {
        method,
        headers: {
          "Content-Type": "application/json",
          "Content-Length": Buffer.byteLength(body),
          ...headers,
        },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("end", () => {
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString();
          resolve({
            status: incoming.statusCode ?? 0,
            reason: incoming.statusMessage ?? "",
            headers: incoming.headers,
            text,
            bytes,
            json: () => JSON.parse(text) as Record<string, unknown>,
          });
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

export interface FakeApp {
  readonly url: string;
  readonly logLines: string[];
  close(): Promise<void>;
}

/** Parts of the app that a test replaces. In the real options, they are divided into groups; here they are not. */
export type FakeParts = Partial<
  ApiParts & PeopleParts & Pick<AppParts, "publicUrl" | "proxyCount" | "metrics" | "assets">
>;

/** Opens the real middleware stack with handlers from the test. The key pair is `K`, `T`. */
export async function openFakeApp(parts: FakeParts = {}): Promise<FakeApp> {
  const logLines: string[] = [];
  const { publicUrl = "", proxyCount = 0, metrics, assets, ...given } = parts;
  const { sessions, account, signOn, scim, signIn, ...api } = given;
  const app = createApp({
    logger: pino({ level: "trace" }, { write: (line: string) => logLines.push(line) }),
    publicUrl,
    proxyCount,
    ...(metrics && { metrics }),
    ...(assets && { assets }),
    people: {
      signIn: signIn ?? (() => Promise.reject(new ApiError("UNAUTHORIZED"))),
      ...(sessions && { sessions }),
      ...(account && { account }),
      ...(signOn && { signOn }),
      ...(scim && { scim }),
    },
    api: {
      notify: async () => ({ count: 0 }),
      dashboardName: () => Promise.resolve(undefined),
      handlers: new Map(),
      async authenticate(body) {
        if (body["key"] === "K" && body["token"] === "T") return principal;
        throw new ApiError("UNAUTHORIZED");
      },
      isSignUpOpen: false,
      limits: {
        admit: () => undefined,
        failed: () => undefined,
        called: () => undefined,
        visited: () => undefined,
      },
      readiness: async () => ({ ready: true, parts: { catalog: "ok" } }),
      openapi: () => ({ openapi: "3.1.0" }),
      ...api,
    },
  });
  const listener = app.callback();
  // Koa responds to every failure of a handler, so this promise never rejects.
  const server = createServer((request, response) => void listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    logLines,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
