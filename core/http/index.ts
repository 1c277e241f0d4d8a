// The API over HTTP: the middleware, the description of the API, the pages and the server.
// May import: core/assistant, core/base, core/catalog, core/exports, core/identity, core/jobs, core/resources,
// core/sources; @koa/router, koa, pino.

export { createApp } from "./app.ts";
export { openAssets } from "./assets/index.ts";
export { createHandlers } from "./handlers.ts";
export { createCallLimits } from "./middleware/index.ts";
export { componentSchemas, createOpenapi, givenSchema } from "./openapi/index.ts";
export {
  createHttpServer,
  createReadiness,
  createServerClose,
  type Readiness,
} from "./server/index.ts";
