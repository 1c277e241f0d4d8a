// Types that rooms share: callers, calls, records, connections, error bodies and written answers.
// May import: core/base/errors, core/base/json; plugins/protocol; knex, typebox.
export { AcceptedAnswer } from "./acceptedAnswer.ts";
export { checkBaseUrl } from "./baseUrl.ts";
export {
  actions,
  actionsOf,
  recordActions,
  type SentFile,
  wrapHandlers,
  type Action,
  type ApiCall,
  type Handler,
  type Handlers,
  type RecordAction,
  type ResourceHandlers,
} from "./call.ts";
export {
  type Destination,
  destinationOf,
  mayBeAddress,
  movedMembers,
  readDestination,
  secretProperties,
  type Source,
} from "./destination.ts";
export { errorBody, type ErrorBody } from "./errorBody.ts";
export type {
  AccountValues,
  Caller,
  Connection,
  Connections,
  PluginCalls,
  PluginUnderCheck,
  Provider,
} from "./connection.ts";
export { otherVersion } from "./otherVersion.ts";
export type { AskablePlugin, PluginVersion } from "./pluginVersion.ts";
export { verifications, type PluginCheckReport, type Verification } from "./pluginCheck.ts";
export {
  anonymous,
  authorizationTypes,
  nobody,
  rights,
  type AccountOverride,
  type AuthorizationType,
  type ConnectionOverride,
  type OwnOverrides,
  type ParameterOverride,
  type Principal,
  type Restriction,
  type Right,
  type RowFilter,
} from "./principal.ts";
export type {
  Linked,
  Records,
  ResourceRow,
  ResourceRows,
  Row,
  WantedValues,
  WrittenValues,
} from "./records.ts";
export { memberNames } from "./memberNames.ts";
export { openVariant } from "./openVariant.ts";
export { readPage } from "./readPage.ts";
export { reference, referredName, type NamedSchemas } from "./reference.ts";
export { featureFlags, unusedFlags, type FeatureFlag } from "./unusedFlags.ts";
export { isUuid } from "./uuid.ts";
export { filtersHeader, warningsHeader } from "./warningsHeader.ts";
export { arrowType, jsonType, WrittenAnswer, type MediaType } from "./writtenAnswer.ts";
