// The Koa middleware of the host, with one concern per file.
// May import: core/base, core/catalog, core/exports, core/http/assets, core/identity, core/jobs, core/web/charts;
// plugins/protocol; @fastify/busboy, @opentelemetry/api, content-disposition, koa, pino.
export { answerPasswordLink } from "./passwordLink.ts";
export { answerAccount } from "./account.ts";
export { serveAssets } from "./assets.ts";
export { chartFrame } from "./chartFrame.ts";
export { body, type BodyTimes } from "./body.ts";
export { consolePage, lostPage, pagePaths } from "./consolePage.ts";
export { createBodyBudget } from "./bodyBudget.ts";
export { bodyLimitsOf, senderLimitsOf, signInLimits } from "./bodyLimits.ts";
export { cors, methods } from "./cors.ts";
export { dispatch, findResource } from "./dispatch.ts";
export { createIdentify } from "./identify.ts";
export { exportFile } from "./exportFile.ts";
export { errors, presentFailure } from "./errors.ts";
export { createCallLimits, type CallLimits } from "./limits.ts";
export { log } from "./log.ts";
export { metricsPage } from "./metricsPage.ts";
export { requestId, type RequestState } from "./requestId.ts";
export { createSecurityHeaders } from "./securityHeaders.ts";
export {
  beginPasskey,
  beginSession,
  createSessionCookies,
  endSession,
  showSession,
} from "./session.ts";
export { beginSignOn, finishSignOn, signOnChoices } from "./signOn.ts";
export { answerScim, identifyScim, scimType } from "./scim.ts";
export { isSlow, uploadForm } from "./uploadForm.ts";
export { trace } from "./trace.ts";
export { createPacing } from "./createPacing.ts";
export { resubscribePage, unsubscribePage } from "./unsubscribe.ts";
export { sharedPage } from "./sharedPage.ts";
export { answerMcp, identifyMcp } from "./mcp.ts";
