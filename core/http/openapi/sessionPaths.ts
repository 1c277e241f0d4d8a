import Type, { type TSchema } from "typebox";

const SignedIn = Type.Object({
  user: Type.Object({
    id: Type.String({ format: "uuid" }),
    name: Type.String(),
    email: Type.String(),
    organization_id: Type.String({ format: "uuid" }),
    role: Type.Union(["member", "editor", "owner"].map((role) => Type.Literal(role))),
    suborganization: Type.Union([Type.String(), Type.Null()]),
  }),
  must_add_second_factor: Type.Optional(
    Type.Literal(true, {
      description: "Present if the session can do nothing except add a second factor.",
    }),
  ),
  features: Type.Object({
    assistant: Type.Boolean({
      description:
        "Whether a model is configured; without a model, the assistant's actions return 501.",
    }),
  }),
});
const SignIn = Type.Union([
  Type.Object({
    email: Type.String(),
    password: Type.String(),
    code: Type.Optional(
      Type.String({ description: "A code of the authenticator app, or a recovery code." }),
    ),
  }),
  Type.Object({
    ticket: Type.String({ description: "The ticket that POST /auth/passkey returned." }),
    passkey: Type.Object({}, { description: "The result of navigator.credentials.get, as JSON." }),
  }),
  Type.Object({ key: Type.String(), token: Type.String() }),
  Type.Object({
    link: Type.String({
      description: "A one-time sign-in link, which works only on the host's own machine.",
    }),
  }),
]);
const header = {
  name: "X-Manifold-Console",
  in: "header",
  required: true,
  description: "Any non-empty value; scripts of other origins cannot send it.",
  schema: Type.String({ minLength: 1 }),
};
const cookie = {
  name: "manifold-session",
  in: "cookie",
  required: false,
  description:
    "__Host-manifold-session over https; with the suffix -<port> if the URL contains a port",
  schema: Type.String(),
};

/**
 * Describes the paths of console sessions: `POST` starts a session, `GET` shows it, and `DELETE` revokes it. `error` is
 * the schema of the error body.
 */
export function sessionPaths(error: TSchema): Readonly<Record<string, unknown>> {
  const json = (schema: TSchema) => ({ content: { "application/json": { schema } } });
  const refused = (description: string) => ({ description, ...json(error) });
  const operation = (
    operationId: string,
    summary: string,
    answer: TSchema,
    setsCookie = false,
  ) => ({
    operationId,
    summary,
    tags: ["session"],
    parameters: [header, ...(operationId === "createSession" ? [] : [cookie])],
    responses: {
      200: {
        description: "Done.",
        ...json(answer),
        ...(setsCookie && {
          headers: { "Set-Cookie": { description: "The session.", schema: Type.String() } },
        }),
      },
      401: refused("there is no session, or the credentials are wrong"),
      403: refused(
        "the call came from another origin or site, or over http from an address that is not loopback",
      ),
      429: refused("too many attempts"),
      default: refused("the call was refused or failed"),
    },
  });
  const begin = operation(
    "createSession",
    "Begins a session and ends the previous one",
    SignedIn,
    true,
  );
  return {
    "/auth/session": {
      post: { ...begin, requestBody: { required: true, ...json(SignIn) } },
      get: operation("getSession", "Returns the person who is signed in", SignedIn),
      delete: operation(
        "deleteSession",
        "Ends the session",
        Type.Object({ code: Type.Literal(200) }),
        true,
      ),
    },
  };
}
