import Type, { type TSchema } from "typebox";
import type { ServiceOperation } from "./serviceSchemas.ts";

const Id = Type.String({ format: "uuid" });
const Instant = Type.String({ format: "date-time" });
const Text = Type.Union([Type.String(), Type.Null()]);
const Ticket = Type.String({
  description: "The ticket returned by begin; it expires after 10 minutes.",
});
const Name = Type.Optional(Type.String({ maxLength: 100 }));
const Browser = (call: string): TSchema =>
  Type.Record(Type.String(), Type.Unknown(), { description: call });
const Way = Type.Union(
  (["password", "app", "recovery_code", "passkey", "sign_on", "key_pair"] as const).map((way) =>
    Type.Literal(way),
  ),
);
const Codes = Type.Array(Type.String(), {
  description: "Recovery codes, which are shown only once.",
});
const Enrolled = Type.Object({
  id: Id,
  recovery_codes: Type.Union([Codes, Type.Null()]),
});
const Done = Type.Object({ code: Type.Literal(200) });

/** Actions that people perform on their own account, by the path below `/auth/account/`. */
export const accountOperations: Readonly<Record<string, ServiceOperation>> = {
  overview: {
    summary: "Returns the caller's second factors and ways to sign in",
    members: {},
    answer: Type.Object({
      factors: Type.Array(
        Type.Object({
          id: Id,
          type: Type.Union([Type.Literal("app"), Type.Literal("passkey")]),
          name: Type.String(),
          created_at: Instant,
          last_used_at: Text,
        }),
      ),
      recovery_code_count: Type.Integer({ minimum: 0 }),
      has_password: Type.Boolean(),
      is_fresh: Type.Boolean({
        description: "Whether the caller signed in within the last ten minutes.",
      }),
      is_demanded: Type.Boolean({
        description: "Whether the organization requires a second factor.",
      }),
      must_add: Type.Boolean(),
      offers_passkeys: Type.Boolean(),
    }),
  },
  "app/begin": {
    summary: "Begins adding an authenticator app",
    members: {},
    answer: Type.Object({
      secret: Type.String(),
      uri: Type.String({ description: "The URI to show as a QR code." }),
      ticket: Type.String(),
    }),
  },
  "app/add": {
    summary: "Adds an authenticator app",
    members: { ticket: Ticket, code: Type.String(), name: Name },
    answer: Enrolled,
  },
  "passkey/begin": {
    summary: "Begins adding a passkey",
    members: {},
    answer: Type.Object({
      ticket: Type.String(),
      options: Browser("The argument of navigator.credentials.create."),
    }),
  },
  "passkey/add": {
    summary: "Adds a passkey",
    members: {
      ticket: Ticket,
      passkey: Browser("The result of navigator.credentials.create."),
      name: Name,
    },
    answer: Enrolled,
  },
  "factors/remove": { summary: "Removes a second factor", members: { id: Id }, answer: Done },
  "recovery-codes": {
    summary: "Replaces the recovery codes",
    members: {},
    answer: Type.Object({ recovery_codes: Codes }),
  },
  sessions: {
    summary: "Lists the caller's sessions",
    members: {},
    answer: Type.Object({
      rows: Type.Array(
        Type.Object({
          id: Id,
          way: Way,
          device: Text,
          address: Text,
          begun_at: Instant,
          last_used_at: Instant,
          ends_at: Instant,
          current: Type.Boolean(),
        }),
      ),
    }),
  },
  "sessions/end": {
    summary: "Ends sessions of the caller",
    members: {
      id: Type.Optional(Id),
      others: Type.Optional(
        Type.Literal(true, {
          description: "Ends all sessions except the caller's; send this member instead of id.",
        }),
      ),
    },
    answer: Type.Object({ count: Type.Integer({ minimum: 0 }) }),
  },
  history: {
    summary: "Lists attempts to sign in",
    members: { user_id: Type.Optional(Id) },
    answer: Type.Object({
      rows: Type.Array(
        Type.Object({
          at: Instant,
          outcome: Type.Union([Type.Literal("succeeded"), Type.Literal("failed")]),
          ways: Type.Array(Type.String()),
          address: Text,
        }),
      ),
    }),
  },
};

/** Returns the id of an operation on the caller's own account, such as `accountAppAdd`. */
export function accountId(path: string): string {
  const words = path.split(/[/-]/).map((word) => word[0]?.toUpperCase() + word.slice(1));
  return `account${words.join("")}`;
}

/**
 * Describes the paths below `/auth/account/`, which callers use with key and token in the body, or with a session.
 * `error` is the schema of the error body.
 */
export function accountPaths(error: TSchema): Readonly<Record<string, unknown>> {
  const json = (schema: TSchema) => ({ content: { "application/json": { schema } } });
  const refused = (description: string) => ({ description, ...json(error) });
  return Object.fromEntries(
    Object.entries(accountOperations).map(([path, { summary, members, answer }]) => {
      const Pair = { key: Type.Optional(Type.String()), token: Type.Optional(Type.String()) };
      return [
        `/auth/account/${path}`,
        {
          post: {
            operationId: accountId(path),
            summary,
            tags: ["account"],
            requestBody: { required: true, ...json(Type.Object({ ...Pair, ...members })) },
            responses: {
              200: { description: "Done.", ...json(answer) },
              401: refused("there is no session, or the credentials are wrong"),
              403: refused(
                "the caller used an embed token, or signed in more than ten minutes ago",
              ),
              default: refused("the call was refused or failed"),
            },
          },
        },
      ];
    }),
  );
}
