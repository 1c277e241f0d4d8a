import Type, { type Static } from "typebox";
import { Capabilities } from "./capabilities.ts";
import { ColumnarAnswer } from "./cells.ts";
import { Dataset } from "./dataset.ts";
import { ErrorBody } from "./errors.ts";
import { ProbedCapabilities, User, WriteResult } from "./plugin.ts";
import { Query } from "./query.ts";
import { named } from "./schemas.ts";
import { WriteAction } from "./write.ts";

/** The user on whose behalf the host calls. Absent if the host does not know the user. */
const user = Type.Optional(named<User>(User));

/** The body of POST /datasets and of POST /capabilities. */
export const UserRequest = Type.Object({
  /** The user on whose behalf the host calls. Absent if the host does not know the user. */
  user,
});
export interface UserRequest extends Readonly<Static<typeof UserRequest>> {}

/** The answer to /datasets: the datasets that the credentials may see. */
export const DatasetsAnswer = Type.Array(Dataset);
export type DatasetsAnswer = Static<typeof DatasetsAnswer>;

/** The body of POST /query: a query, and the user on whose behalf the host sends it. */
export const QueryRequest = Type.Object({
  ...Query.properties,
  /** The user on whose behalf the host calls. Absent if the host does not know the user. */
  user,
});
export interface QueryRequest extends Readonly<Static<typeof QueryRequest>> {}

/** The body of POST /authorize: the user, without the member `user` around it. */
export const AuthorizeRequest = Type.Object({
  /** Id of the user at the host. Absent if the host does not know the user. */
  id: Type.Optional(Type.String()),
  /** Name of the user. Absent if the host does not know the user. */
  name: Type.Optional(Type.String()),
  /** Email address of the user. Absent or empty if the address is not known. */
  email: Type.Optional(Type.String()),
});
export interface AuthorizeRequest extends Readonly<Static<typeof AuthorizeRequest>> {}

/** The answer to POST /authorize. Wrong credentials are an error with status 403. */
export const AuthorizeAnswer = Type.Object({
  /** Whether the source accepts the credentials. */
  ok: Type.Optional(Type.Literal(true)),
  /** Address where a person must first give consent (OAuth2). Absent: consent is not needed. */
  auth_url: Type.Optional(Type.String()),
});
export interface AuthorizeAnswer extends Readonly<Static<typeof AuthorizeAnswer>> {}

/** The body of POST /exchange. */
export const ExchangeRequest = Type.Object({
  /** The authorization code that the OAuth2 provider issued. */
  code: Type.String(),
  /** The user on whose behalf the host calls. Absent if the host does not know the user. */
  user,
});
export interface ExchangeRequest extends Readonly<Static<typeof ExchangeRequest>> {}

/** The answer to POST /exchange: the provider's credentials, which the host stores as properties of the account. */
export const ExchangeAnswer = Type.Record(Type.String(), Type.Unknown());
export type ExchangeAnswer = Static<typeof ExchangeAnswer>;

/** The body of POST /write. */
export const WriteRequest = Type.Object({
  /** The change. It is carried out completely or not at all. */
  write: WriteAction,
  /** The user on whose behalf the host calls. Absent if the host does not know the user. */
  user,
});
export type WriteRequest = Readonly<Static<typeof WriteRequest>>;

/** The answer to GET /health. The host reads only the status, so any JSON will do. */
export const HealthAnswer = Type.Unknown();
export type HealthAnswer = Static<typeof HealthAnswer>;

/** The body with which a plugin tells the host that its data changed. */
export const NotifyRequest = Type.Object({
  /** What happened. */
  event: Type.Literal("data_changed"),
  /** Ids of the changed datasets. Absent: all datasets changed. */
  datasets: Type.Optional(Type.Array(Type.String())),
});
export interface NotifyRequest extends Readonly<Static<typeof NotifyRequest>> {}

/** The host's answer to a notification. */
export const NotifyAnswer = Type.Object({
  /** Number of accelerated datasets that the host reloads. */
  count: Type.Integer({ minimum: 0 }),
});
export interface NotifyAnswer extends Readonly<Static<typeof NotifyAnswer>> {}

/**
 * The messages of the protocol `manifold-1`, by name. Their JSON Schemas and the OpenAPI description of a plugin are
 * generated from this table.
 */
export const messages = {
  CapabilitiesAnswer: Capabilities,
  ProbeRequest: UserRequest,
  ProbeAnswer: ProbedCapabilities,
  DatasetsRequest: UserRequest,
  DatasetsAnswer,
  QueryRequest,
  QueryAnswer: ColumnarAnswer,
  AuthorizeRequest,
  AuthorizeAnswer,
  ExchangeRequest,
  ExchangeAnswer,
  WriteRequest,
  WriteAnswer: WriteResult,
  HealthAnswer,
  NotifyRequest,
  NotifyAnswer,
  ErrorAnswer: ErrorBody,
} as const;

/** The name of a message of the protocol. */
export type MessageName = keyof typeof messages;
