import Type from "typebox";
import type { Action } from "../../base/index.ts";
import type { ServiceOperation } from "./serviceSchemas.ts";

const Id = Type.String({ format: "uuid" });
const Count = Type.Integer({ minimum: 0 });
const Text = Type.Union([Type.String(), Type.Null()]);
const Sentences = Type.Array(Type.String());

const ExplainedUser = Type.Object({
  id: Id,
  has_password: Type.Boolean(),
  has_provider: Type.Boolean({ description: "signs on by a provider, or is kept by one" }),
  is_ended: Type.Boolean({ description: "ended by the provider that keeps it" }),
  is_end_user: Type.Boolean({ description: "made by a token of a page" }),
  last_sign_in_at: Type.Union([Type.String({ format: "date-time" }), Type.Null()]),
  session_count: Count,
  api_token_count: Count,
  page_token_count: Type.Integer({ minimum: 0, description: "tokens of pages that act for it" }),
  issued_token_count: Type.Integer({ minimum: 0, description: "tokens of pages that it issued" }),
  owned: Type.Array(
    Type.Object({
      resource: Type.String(),
      count: Count,
      goes_with_user: Type.Boolean({
        description: "ends with the user; the rest needs a successor",
      }),
    }),
  ),
});

/** The actions of users and ssoconfigs beside those of every resource. */
export const peopleOperations: Readonly<Record<string, Partial<Record<Action, ServiceOperation>>>> =
  {
    user: {
      explain: {
        members: { ids: Type.Array(Id, { minItems: 1, maxItems: 200 }) },
        answer: Type.Object({ rows: Type.Array(ExplainedUser) }),
      },
    },
    organization: {
      explain: {
        members: {},
        answer: Type.Object({
          id: Id,
          quotas: Type.Array(
            Type.Object({
              name: Type.String({
                description: "rows, bytes, queries, scanned_rows, pushes, jobs, ai_tokens",
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
        members: { id: Id },
        answer: Type.Object({
          id: Id,
          sign_on_url: Type.String(),
          redirect_url: Type.String({ description: "to be registered at the provider" }),
          scim_url: Type.String(),
          user_count: Count,
          session_count: Count,
          provisioned_user_count: Count,
          provisioned_group_count: Count,
        }),
      },
      test: {
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
