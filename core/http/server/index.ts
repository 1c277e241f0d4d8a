// The HTTP server of a host: limits on connections and requests, readiness, and an orderly close.
// May import: core/base, core/http/middleware.
export { createHttpServer } from "./httpServer.ts";
export { createReadiness } from "./createReadiness.ts";
export type { Readiness } from "./readiness.ts";
export { createServerClose } from "./serverClose.ts";
