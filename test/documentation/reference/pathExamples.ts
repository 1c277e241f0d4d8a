import { ids } from "./exampleIds.ts";

/** The strings of path examples that a host replaces by its own. */
export const exportToken = "V1StGXR8Z5jdHi6BmyT2uQ";
export const pluginSecret = "secret-of-the-plugin";
export const password = "a sentence that only Ben knows";

/** Stands for the header with the key pair. */
export const bearer = "Bearer <key>:<token>";

/** A request to a path that is not a resource. */
export interface PathExample {
  /** The operation of the API description, or the protocol. */
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Whether the answer is a file. */
  readonly isText?: boolean;
}

/** One request for each path that applications call. */
export const pathExamples: readonly PathExample[] = [
  {
    name: "signIn",
    method: "POST",
    path: "/auth/vi",
    body: { email: "ben@example.com", password },
  },
  { name: "listSignOns", method: "GET", path: "/auth/sso" },
  { name: "downloadExport", method: "GET", path: `/exports/${exportToken}`, isText: true },
  {
    name: "notifyPlugin",
    method: "POST",
    path: `/notify/plugin/${ids.shop}`,
    headers: { "X-Secret": pluginSecret },
    body: { event: "data_changed", datasets: ["public.trips"] },
  },
  {
    name: "mcp",
    method: "POST",
    path: "/mcp",
    isText: true,
    headers: { Accept: "application/json, text/event-stream", Authorization: bearer },
    body: {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "search_datasets", arguments: { words: "orders" } },
    },
  },
  { name: "health", method: "GET", path: "/healthz" },
  { name: "readiness", method: "GET", path: "/readyz" },
];
