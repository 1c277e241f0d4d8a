import Type, { type TSchema } from "typebox";
import type { Action } from "../../base/index.ts";
import { reference } from "./reference.ts";
import type { ServiceOperation } from "./serviceSchemas.ts";

const Id = Type.String({ format: "uuid" });
const Instant = Type.String({ format: "date-time" });
const Word = (...words: readonly string[]): TSchema =>
  Type.Union(words.map((word) => Type.Literal(word)));
const Nullable = (schema: TSchema) => Type.Union([schema, Type.Null()]);
const Name = Nullable(reference("LocalizedText"));
const Right = Word("read", "use", "modify", "own");
const Reached = { id: Id, type: Word("dataset", "dashboard"), name: Name, rights: Right };
const Columns = Type.Array(Type.Object({ id: Id, name: Name, type: Nullable(Type.String()) }));
const RowFilters = Type.Array(
  Type.Object({
    origin: Word("token", "filter_group", "share"),
    clause: Word("where", "having"),
    column_id: Id,
    expression: Type.String(),
    value: Type.Optional(reference("RowFilterValue")),
    parameter: Type.Optional(Type.String()),
    withheld: Type.Optional(Word("sensitive", "share")),
    applies: Type.Boolean({ description: "`false` if the token clears the parameter." }),
  }),
);
const List = Nullable(Type.Array(Type.String()));
const Text = Nullable(Type.String());
const SeenAs = Type.Object({
  id: Id,
  type: Word("embed", "sso", "temporary"),
  username: Text,
  role: Text,
  expiry: Instant,
  environment: Text,
  access: Nullable(reference("TokenAccess")),
  securables: List,
  integration_id: Text,
  filters: Nullable(Type.Array(reference("TokenFilter"))),
  hidden_columns: Nullable(Type.Array(reference("HiddenColumn"))),
  features: Type.Array(
    Type.Object({
      flag: Type.String(),
      state: Word("on", "off", "no_effect"),
      set_by: Nullable(Word("token", "user", "issuer")),
      effect: Type.String({ description: "What the flag allows or prevents." }),
    }),
  ),
  allowed_origins: List,
  allowed_addresses: List,
  count: Type.Integer({ description: "Number of datasets and dashboards that the token sees." }),
  datasets: Type.Array(
    Type.Object({
      ...Reached,
      columns: Columns,
      hidden_columns: Columns,
      rows: Word("all", "filtered", "closed"),
      filters: RowFilters,
      reason: Nullable(Type.String({ description: "Why the dataset is closed." })),
    }),
  ),
  dashboards: Type.Array(Type.Object(Reached)),
  missing: Type.Array(
    Type.Object({ id: Type.String(), reason: Word("issuer_does_not_see", "not_shown") }),
  ),
  token: Type.Optional(
    Type.Object(
      { id: Id, token: Type.String(), expiry: Instant },
      { description: "A key pair with the same access, valid for 15 minutes." },
    ),
  ),
});

const IssuedToken = Type.Object({
  id: Id,
  type: Word("embed", "sso", "temporary"),
  username: Text,
  name: Text,
  email: Text,
  role: Text,
  created_at: Instant,
  expiry: Instant,
  last_used_at: Nullable(Instant),
  integration: Nullable(Type.Object({ id: Id, name: Name })),
  securables: Type.Array(Type.Object({ id: Id, type: Word("dataset", "dashboard"), name: Name }), {
    description:
      "The datasets and dashboards that the token names, as far as the caller sees them.",
  }),
});

/** Actions of tokens other than the common ones, by resource and action. */
export const tokenOperations: Readonly<Record<string, Partial<Record<Action, ServiceOperation>>>> =
  {
    authorization: {
      list: {
        summary: "Lists the embed tokens that the caller issued",
        members: {
          options: Type.Optional(
            Type.Object({
              search: Type.Optional(
                Type.String({
                  maxLength: 200,
                  description: "Part of the reader's user name, name or e-mail address.",
                }),
              ),
              limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
              offset: Type.Optional(Type.Integer({ minimum: 0 })),
            }),
          ),
        },
        answer: Type.Object({
          count: Type.Integer({ minimum: 0 }),
          rows: Type.Array(IssuedToken),
        }),
      },
      explain: {
        summary: "Shows what a token sees, and why rows are missing",
        members: {
          id: Id,
          options: Type.Optional(
            Type.Object({
              token: Type.Optional(
                Type.Boolean({ description: "`true` also returns a key pair." }),
              ),
              limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
              offset: Type.Optional(Type.Integer({ minimum: 0 })),
            }),
          ),
        },
        answer: SeenAs,
      },
    },
  };
