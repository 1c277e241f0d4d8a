// The Koa middleware of the host, one concern a file.
// May import: koa, raw-body, pino; core's errors, call, written answer and access; the protocol's errors.
export { body, type BodyLimits } from "./body.ts";
export { cors, methods } from "./cors.ts";
export { dispatch, findResource, type Handlers } from "./dispatch.ts";
export { errors } from "./errors.ts";
export { createCallLimits, type CallLimits } from "./limits.ts";
export { log } from "./log.ts";
export { requestId, type RequestState } from "./requestId.ts";
export { securityHeaders } from "./securityHeaders.ts";
