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
    Type.Literal(true, { description: "the session adds a second factor, and does nothing else" }),
  ),
  features: Type.Object({
    assistant: Type.Boolean({
      description: "a model is set up; without it, its actions answer 501",
    }),
  }),
});
const SignIn = Type.Union([
  Type.Object({
    email: Type.String(),
    password: Type.String(),
    code: Type.Optional(
      Type.String({ description: "of an authenticator app, or a recovery code" }),
    ),
  }),
  Type.Object({
    ticket: Type.String({ description: "as POST /auth/passkey answers" }),
    passkey: Type.Object({}, { description: "the answer of navigator.credentials.get, as JSON" }),
  }),
  Type.Object({ key: Type.String(), token: Type.String() }),
  Type.Object({ link: Type.String({ description: "works once, on the machine of the host" }) }),
]);
const header = {
  name: "X-Manifold-Console",
  in: "header",
  required: true,
  description: "any text; scripts of other origins cannot send it",
  schema: Type.String({ minLength: 1 }),
};
const cookie = {
  name: "manifold-session",
  in: "cookie",
  required: false,
  description: "__Host-manifold-session over https; -<port> follows where the address names one",
  schema: Type.String(),
};

/** Describes the sessions of pages: `POST` begins one, `GET` shows it, `DELETE` ends it. `error` is the error body. */
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
        description: "done",
        ...json(answer),
        ...(setsCookie && {
          headers: { "Set-Cookie": { description: "the session", schema: Type.String() } },
        }),
      },
      401: refused("no session, or wrong credentials"),
      403: refused("another origin or site, or a plain address that is not loopback"),
      429: refused("too many attempts"),
      default: refused("refused or failed"),
    },
  });
  const begin = operation(
    "createSession",
    "Begins a session, and ends the one before it",
    SignedIn,
    true,
  );
  return {
    "/auth/session": {
      post: { ...begin, requestBody: { required: true, ...json(SignIn) } },
      get: operation("getSession", "Says who is signed in", SignedIn),
      delete: operation(
        "deleteSession",
        "Ends the session",
        Type.Object({ code: Type.Literal(200) }),
        true,
      ),
    },
  };
}
