// The HTTP server of a host: bounds on connections and requests, and an orderly close.
// May import: core/errors, core/middleware.
export { createHttpServer } from "./httpServer.ts";
export { createServerClose } from "./serverClose.ts";
