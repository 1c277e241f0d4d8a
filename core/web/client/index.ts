// The client with typed calls, for Node.js and browsers.
// May import: nothing.

export {
  type AnswerOf,
  type Calls,
  type Client,
  ClientError,
  type ClientOptions,
  createClient,
  type MembersOf,
  type Offering,
  type OwnAccountCalls,
  type Tried,
} from "./client.ts";
export type {
  Aggregation,
  Query,
  QueryAggregation,
  QueryBins,
  QueryDimension,
  QueryFilter,
  QueryMeasure,
  QueryOrder,
} from "./calls/query.ts";
