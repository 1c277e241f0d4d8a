// The API client with typed calls, for Node.js and browsers.
// May import: nothing.

export {
  type AnswerOf,
  type CallOptions,
  type Calls,
  type Client,
  type ClientOptions,
  createClient,
  type MembersOf,
  type Offering,
  type OwnAccountCalls,
  type Tried,
} from "./client.ts";
export type { FileBytes, StoreOptions, UploadOptions, UploadProgress } from "./uploadFile.ts";
export { ClientError } from "./clientError.ts";
export type { Remedy } from "./remedy.ts";
export type { RecordOf } from "./callMembers.ts";
export type {
  ChannelConfig,
  DashboardContents,
  DashboardItem,
  DashboardView,
  FilterGroup,
  NewChannel,
  ParameterOverride,
  RowFilter,
  SlotContent,
  ThemeDefinition,
  TokenAccess,
  TokenFilter,
} from "./calls/members.ts";
export type {
  Aggregation,
  Query,
  QueryAggregation,
  QueryBins,
  QueryDimension,
  QueryFilter,
  QueryFrom,
  QueryMeasure,
  QueryOrder,
} from "./calls/query.ts";
