import Type, { type TSchema } from "typebox";

const Instant = Type.String({ format: "date-time" });
const Id = Type.String({ format: "uuid" });
const SignedIn = Type.Object({
  user: Type.Object({
    id: Id,
    name: Type.Union([Type.String(), Type.Null()]),
    email: Type.String(),
    organization_id: Id,
    token: Type.Object(
      {
        id: Type.String({ description: "the key" }),
        token: Type.String(),
        uid: Id,
        tokenExpiry: Instant,
        cookieExpiry: Instant,
      },
      { description: "a key pair of type login" },
    ),
    twoFactorAuthentication: Type.Null(),
  }),
});
const Password = Type.Object({
  email: Type.String(),
  password: Type.String(),
  code: Type.Optional(Type.String({ description: "of an authenticator app, or a recovery code" })),
  token: Type.Optional(Type.String({ description: "another name of code" })),
});
const PasskeyBegun = Type.Object({
  ticket: Type.String(),
  options: Type.Record(Type.String(), Type.Unknown(), {
    description: "what navigator.credentials.get takes",
  }),
});
const Choices = Type.Object({
  rows: Type.Array(Type.Object({ id: Id, name: Type.Unknown() })),
});
const Changed = Type.Object({
  event: Type.Literal("data_changed"),
  datasets: Type.Optional(Type.Array(Type.String(), { description: "absent for all" })),
});
const State = Type.Union([Type.Literal("ok"), Type.Literal("failed")]);
const Ready = Type.Object(
  { status: Type.Union([Type.Literal("ready"), Type.Literal("not ready")]) },
  { additionalProperties: Type.Union([State, Type.Unknown()]) },
);

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: Type.String({ minLength: 1 }),
});
const inPath = (name: string, schema: TSchema = Id) => ({
  name,
  in: "path",
  required: true,
  schema,
});
const inQuery = (name: string, description: string) => ({
  name,
  in: "query",
  required: false,
  description,
  schema: Type.String(),
});

/**
 * Describes the addresses beside those of resources, sessions and accounts. MCP at `/mcp` and SCIM 2.0 at `/scim/v2`
 * describe themselves; pages for people are no part of the API. `error` is the error body.
 */
export function routePaths(error: TSchema): Readonly<Record<string, unknown>> {
  const json = (schema: TSchema) => ({ content: { "application/json": { schema } } });
  const refused = (description: string) => ({ description, ...json(error) });
  const rest = { default: refused("refused or failed") };
  const done = (schema: TSchema) => ({ description: "done", ...json(schema) });
  const body = (schema: TSchema) => ({ requestBody: { required: true, ...json(schema) } });
  const elsewhere = (description: string) => ({
    303: {
      description,
      headers: { Location: { description: "where the browser goes", schema: Type.String() } },
    },
  });
  return {
    "/auth/vi": {
      post: {
        operationId: "signIn",
        summary: "Signs in by password; answers a key pair of 24 hours",
        tags: ["session"],
        ...body(Password),
        responses: {
          200: done(SignedIn),
          401: refused("wrong, or without the second factor: SECOND_FACTOR_REQUIRED"),
          429: refused("too many attempts"),
          ...rest,
        },
      },
    },
    "/auth/passkey": {
      post: {
        operationId: "beginPasskey",
        summary: "Begins a sign-in by passkey; POST /auth/session ends it",
        tags: ["session"],
        parameters: [
          header("X-Manifold-Console", "any text; scripts of other origins cannot send it"),
        ],
        ...body(Type.Object({})),
        responses: { 200: done(PasskeyBegun), ...rest },
      },
    },
    "/auth/sso": {
      get: {
        operationId: "listSignOns",
        summary: "Lists the providers that the sign-in page offers",
        tags: ["session"],
        responses: { 200: done(Choices), ...rest },
      },
    },
    "/auth/sso/{id}": {
      get: {
        operationId: "beginSignOn",
        summary: "Sends a browser to the provider of an ssoconfig",
        tags: ["session"],
        parameters: [inPath("id"), inQuery("return_to", "the path of the console to come back to")],
        responses: { ...elsewhere("to the provider"), ...rest },
      },
    },
    "/auth/sso/{id}/callback": {
      get: {
        operationId: "finishSignOn",
        summary: "Takes a browser back from its provider, and begins its session",
        tags: ["session"],
        parameters: [
          inPath("id"),
          inQuery("code", "of the provider"),
          inQuery("state", "of the beginning"),
        ],
        responses: { ...elsewhere("to the console"), ...rest },
      },
    },
    "/exports/{token}": {
      get: {
        operationId: "downloadExport",
        summary: "Answers the file behind the link of an export",
        tags: ["export"],
        parameters: [inPath("token", Type.String())],
        responses: {
          200: {
            description: "the file",
            content: {
              "application/octet-stream": { schema: Type.String({ format: "binary" }) },
            },
          },
          ...rest,
        },
      },
    },
    "/notify/plugin/{id}": {
      post: {
        operationId: "notifyPlugin",
        summary: "A plugin says that its data changed: copies of it are filled again",
        tags: ["plugin"],
        parameters: [inPath("id"), header("X-Secret", "the secret of the plugin")],
        ...body(Changed),
        responses: {
          200: done(Type.Object({ count: Type.Integer({ minimum: 0 }) })),
          401: refused("no such plugin, or another secret"),
          ...rest,
        },
      },
    },
    "/healthz": {
      get: {
        operationId: "health",
        summary: "Says that the process answers",
        tags: ["state"],
        responses: { 200: done(Type.Object({ status: Type.Literal("alive") })) },
      },
    },
    "/readyz": {
      get: {
        operationId: "readiness",
        summary: "Says which parts of the host answer",
        tags: ["state"],
        responses: { 200: done(Ready), 503: { ...done(Ready), description: "a part failed" } },
      },
    },
  };
}
