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
        id: Type.String({ description: "The key." }),
        token: Type.String(),
        uid: Id,
        tokenExpiry: Instant,
        cookieExpiry: Instant,
      },
      { description: "A key pair of type login." },
    ),
    twoFactorAuthentication: Type.Null(),
  }),
});
const Password = Type.Object({
  email: Type.String(),
  password: Type.String(),
  code: Type.Optional(
    Type.String({ description: "A code of the authenticator app, or a recovery code." }),
  ),
  token: Type.Optional(Type.String({ description: "Alias of code." })),
});
const PasskeyBegun = Type.Object({
  ticket: Type.String(),
  options: Type.Record(Type.String(), Type.Unknown(), {
    description: "The argument of navigator.credentials.get.",
  }),
});
const Choices = Type.Object({
  rows: Type.Array(Type.Object({ id: Id, name: Type.Unknown() })),
  mails_password_links: Type.Boolean({
    description: "Whether people who forgot their password can get a link by e-mail.",
  }),
  has_passwords: Type.Boolean({
    description: "Whether any user of the host has a password; if not, sign in with a key pair.",
  }),
});
const Changed = Type.Object({
  event: Type.Literal("data_changed"),
  datasets: Type.Optional(
    Type.Array(Type.String(), {
      description: "Ids of the plugin's datasets that changed. Absent if all datasets changed.",
    }),
  ),
});
const Ready = Type.Object(
  { status: Type.Union([Type.Literal("ready"), Type.Literal("not ready")]) },
  { additionalProperties: Type.Unknown({ description: "`ok` or `failed`, for each part." }) },
);

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: Type.String({ minLength: 1 }),
});
const inPath = (name: string, description: string, schema: TSchema = Id) => ({
  name,
  in: "path",
  required: true,
  description,
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
 * Describes all paths except those of resources, sessions and accounts. MCP at `/mcp` and SCIM 2.0 at `/scim/v2` are
 * omitted, because these protocols have their own descriptions. Pages for people are not part of the API. `error` is
 * the schema of the error body.
 */
export function routePaths(error: TSchema): Readonly<Record<string, unknown>> {
  const json = (schema: TSchema) => ({ content: { "application/json": { schema } } });
  const refused = (description: string) => ({ description, ...json(error) });
  const rest = { default: refused("the call was refused or failed") };
  const done = (schema: TSchema) => ({ description: "Done.", ...json(schema) });
  const body = (schema: TSchema) => ({ requestBody: { required: true, ...json(schema) } });
  const elsewhere = (description: string) => ({
    303: {
      description,
      headers: {
        Location: {
          description: "The URL to which the browser is redirected.",
          schema: Type.String(),
        },
      },
    },
  });
  const linkPath = (operationId: string, summary: string, given: TSchema, answer: TSchema) => ({
    post: {
      operationId,
      summary,
      tags: ["session"],
      parameters: [
        header(
          "X-Manifold-Console",
          "any non-empty value; scripts of other origins cannot send it",
        ),
      ],
      ...body(given),
      responses: {
        200: done(answer),
        401: refused("the link was used, or has expired"),
        429: refused("too many attempts"),
        ...rest,
      },
    },
  });
  return {
    "/auth/vi": {
      post: {
        operationId: "signIn",
        summary: "Signs in by password and returns a key pair that is valid for 24 hours",
        tags: ["session"],
        ...body(Password),
        responses: {
          200: done(SignedIn),
          401: refused(
            "the credentials are wrong, or the second factor is missing (SECOND_FACTOR_REQUIRED)",
          ),
          429: refused("too many attempts"),
          ...rest,
        },
      },
    },
    "/auth/passkey": {
      post: {
        operationId: "beginPasskey",
        summary: "Begins a sign-in by passkey; POST /auth/session completes it",
        tags: ["session"],
        parameters: [
          header(
            "X-Manifold-Console",
            "any non-empty value; scripts of other origins cannot send it",
          ),
        ],
        ...body(Type.Object({})),
        responses: { 200: done(PasskeyBegun), ...rest },
      },
    },
    "/auth/password/request": linkPath(
      "requestPasswordLink",
      "Mails a link to choose a new password, if a person has this e-mail address",
      Type.Object({ email: Type.String() }),
      Type.Object({ code: Type.Literal(200) }),
    ),
    "/auth/password/look": linkPath(
      "lookAtPasswordLink",
      "Returns for whom a link to choose a password is",
      Type.Object({ link: Type.String({ description: "The secret of the link." }) }),
      Type.Object({
        kind: Type.Union([Type.Literal("invitation"), Type.Literal("password")]),
        email: Type.String(),
        name: Type.Union([Type.String(), Type.Null()]),
      }),
    ),
    "/auth/password/use": linkPath(
      "usePasswordLink",
      "Stores the password that a person chose with a link, and ends the person's sessions",
      Type.Object({ link: Type.String(), password: Type.String() }),
      Type.Object({ email: Type.String() }),
    ),
    "/auth/sso": {
      get: {
        operationId: "listSignOns",
        summary:
          "Lists the providers that the sign-in page offers, and whether users have passwords",
        tags: ["session"],
        responses: { 200: done(Choices), ...rest },
      },
    },
    "/auth/sso/{id}": {
      get: {
        operationId: "beginSignOn",
        summary: "Redirects a browser to the provider of an ssoconfig",
        tags: ["session"],
        parameters: [
          inPath("id", "the id of the ssoconfig"),
          inQuery("return_to", "the console path to return to after the sign-on"),
        ],
        responses: { ...elsewhere("a redirect to the provider"), ...rest },
      },
    },
    "/auth/sso/{id}/callback": {
      get: {
        operationId: "finishSignOn",
        summary: "Completes a sign-on when the browser returns from the provider",
        tags: ["session"],
        parameters: [
          inPath("id", "the id of the ssoconfig"),
          inQuery("code", "the code that the provider issued"),
          inQuery("state", "the state that the host created for this sign-on"),
        ],
        responses: { ...elsewhere("a redirect to the console"), ...rest },
      },
    },
    "/exports/{token}": {
      get: {
        operationId: "downloadExport",
        summary: "Downloads the file behind an export link",
        tags: ["export"],
        parameters: [inPath("token", "the token of the link", Type.String())],
        responses: {
          200: {
            description: "The file.",
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
        summary:
          "Reports that a plugin's data changed; the host then reloads the copies of that data",
        tags: ["plugin"],
        parameters: [
          inPath("id", "the id of the plugin"),
          header("X-Secret", "the secret of the plugin"),
        ],
        ...body(Changed),
        responses: {
          200: done(Type.Object({ count: Type.Integer({ minimum: 0 }) })),
          401: refused("the plugin does not exist, or the secret is wrong"),
          ...rest,
        },
      },
    },
    "/healthz": {
      get: {
        operationId: "health",
        summary: "Returns 200 while the process is alive",
        tags: ["state"],
        responses: { 200: done(Type.Object({ status: Type.Literal("alive") })) },
      },
    },
    "/readyz": {
      get: {
        operationId: "readiness",
        summary: "Returns the state of each part of the host",
        tags: ["state"],
        responses: { 200: done(Ready), 503: { ...done(Ready), description: "A part has failed." } },
      },
    },
  };
}
