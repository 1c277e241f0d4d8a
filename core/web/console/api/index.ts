// The console's client of the public API: calls with the session of the browser or with a token, and their failures.
// May import: core/web/console/language.
export { ApiFailure } from "./apiFailure.ts";
export {
  createApi,
  type Api,
  type Caller,
  type CallOptions,
  type Found,
  type SignedInUser,
  type SignOnChoice,
  type Target,
  type UploadOptions,
} from "./createApi.ts";
export { isList } from "./isList.ts";
export { createPasskey, hasPasskeys, usePasskey } from "./passkeys.ts";
export { isRecord } from "./isRecord.ts";
export { messageOf } from "./messageOf.ts";
export { searchOf } from "./searchOf.ts";
