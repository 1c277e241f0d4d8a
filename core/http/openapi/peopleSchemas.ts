import Type from "typebox";
import type { Action } from "../../base/index.ts";
import { reference } from "./reference.ts";
import type { ServiceOperation } from "./serviceSchemas.ts";

const Id = Type.String({ format: "uuid" });
const Count = Type.Integer({ minimum: 0 });
const Text = Type.Union([Type.String(), Type.Null()]);
const Sentences = Type.Array(Type.String());

const Right = Type.Union(["read", "use", "modify", "own"].map((each) => Type.Literal(each)));
const Access = Type.Object({
  records: Type.Array(
    Type.Object({
      id: Id,
      type: Type.Union([Type.Literal("dataset"), Type.Literal("dashboard")]),
      name: Type.Union([reference("LocalizedText"), Type.Null()]),
      right: Right,
      is_own: Type.Boolean({ description: "Whether the caller owns the record." }),
      reasons: Type.Array(
        Type.Object({
          kind: Type.Union(
            ["owner", "user", "group", "integration"].map((each) => Type.Literal(each)),
          ),
          id: Type.Union([Id, Type.Null()]),
          name: Type.Union([Type.String(), reference("LocalizedText"), Type.Null()]),
          is_public: Type.Boolean(),
          right: Right,
          is_filtered: Type.Boolean({ description: "Whether the share shows only some rows." }),
          filters: Type.Union([Type.Array(reference("RowFilter")), Type.Null()], {
            description: "The row filters; null for callers who do not own the record.",
          }),
        }),
      ),
    }),
  ),
  unseen_count: Type.Integer({
    minimum: 0,
    description:
      "Number of further records: those that the caller cannot see, and those above 200.",
  }),
});

const ExplainedUser = Type.Object({
  id: Id,
  has_password: Type.Boolean(),
  has_provider: Type.Boolean({
    description: "Whether the user signs on through a provider or is managed by one.",
  }),
  is_ended: Type.Boolean({
    description: "Whether the provider that manages the user has deactivated the user.",
  }),
  invited_until: Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
    description: "When the user's invitation expires; null without an invitation.",
  }),
  is_end_user: Type.Boolean({ description: "Whether an embed token created the user." }),
  username: Type.Union([Type.String(), Type.Null()], {
    description: "The `username` of the embed tokens that act for the user; null for other users.",
  }),
  last_sign_in_at: Type.Union([Type.String({ format: "date-time" }), Type.Null()]),
  session_count: Count,
  api_token_count: Count,
  page_token_count: Type.Integer({
    minimum: 0,
    description: "Number of embed tokens that act for the user.",
  }),
  issued_token_count: Type.Integer({
    minimum: 0,
    description: "Number of embed tokens that the user issued.",
  }),
  owned: Type.Array(
    Type.Object({
      resource: Type.String(),
      count: Count,
      goes_with_user: Type.Boolean({
        description: "Whether these records are deleted with the user; others need a new owner.",
      }),
    }),
  ),
  access: Type.Optional(Access),
});

/** The actions of users, organizations and ssoconfigs beyond the common ones, by resource and action. */
export const peopleOperations: Readonly<Record<string, Partial<Record<Action, ServiceOperation>>>> =
  {
    user: {
      invite: {
        summary: "Invites a user to choose a password, with a one-time link",
        members: { id: Id },
        answer: Type.Object({
          id: Id,
          is_mailed: Type.Boolean({ description: "Whether the user got the link by e-mail." }),
          expires_at: Type.String({ format: "date-time" }),
          url: Type.Optional(
            Type.String({
              description: "The link, shown only once. Absent if the user got it by e-mail.",
            }),
          ),
        }),
      },
      explain: {
        summary: "Returns sign-ins, sessions, tokens and records of users",
        members: {
          ids: Type.Array(Id, { minItems: 1, maxItems: 200 }),
          options: Type.Optional(
            Type.Object({
              access: Type.Optional(
                Type.Boolean({ description: "Whether to return what each user can see, and why." }),
              ),
            }),
          ),
        },
        answer: Type.Object({ rows: Type.Array(ExplainedUser) }),
      },
    },
    organization: {
      explain: {
        summary: "Returns the quotas of the organization and their use",
        members: {},
        answer: Type.Object({
          id: Id,
          quotas: Type.Array(
            Type.Object({
              name: Type.String({
                description:
                  "Name of the quota: rows, bytes, queries, scanned_rows, pushes, jobs or ai_tokens.",
              }),
              what: Type.String(),
              soft: Type.Union([Count, Type.Null()]),
              hard: Type.Union([Count, Type.Null()]),
              used: Count,
              resets_at: Type.Union([Type.String(), Type.Null()]),
            }),
          ),
        }),
      },
    },
    ssoconfig: {
      explain: {
        summary: "Returns the URLs of an ssoconfig, and how many users and sessions depend on it",
        members: { id: Id },
        answer: Type.Object({
          id: Id,
          sign_on_url: Type.String(),
          redirect_url: Type.String({ description: "The URL to register at the provider." }),
          scim_url: Type.String(),
          user_count: Count,
          session_count: Count,
          provisioned_user_count: Count,
          provisioned_group_count: Count,
        }),
      },
      test: {
        summary: "Checks whether people can sign on through an ssoconfig",
        members: { id: Id },
        answer: Type.Object({
          id: Id,
          outcome: Type.Union([Type.Literal("passed"), Type.Literal("failed")]),
          problems: Sentences,
          warnings: Sentences,
          authorization_endpoint: Text,
          token_endpoint: Text,
          userinfo_endpoint: Text,
          jwks_uri: Text,
        }),
      },
    },
  };
