import Type, { type TSchema } from "typebox";
import type { Action } from "../../base/index.ts";
import type { ServiceOperation } from "./serviceSchemas.ts";

const Id = Type.String({ format: "uuid" });
const Word = (...words: readonly string[]): TSchema =>
  Type.Union(words.map((word) => Type.Literal(word)));
const Nullable = (schema: TSchema) => Type.Union([schema, Type.Null()]);
const Draft = {
  id: Type.Optional(
    Type.String({ format: "uuid", description: "absent for an alert that is not created yet" }),
  ),
  properties: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: "members that replace those of the stored alert",
    }),
  ),
};
const EvaluatedAs = Type.String({ description: "user, token or caller" });
const Outcome = Type.String({ description: "answered, failed or skipped" });
const Instant = Type.String({ format: "date-time" });
const Rows = Type.Array(Type.Array(Type.Unknown()));
const Attempt = {
  outcome: Type.String({ description: "delivered, accepted, unsubscribed or failed" }),
  problem: Nullable(Type.String()),
};
const Objects = Type.Array(Type.Record(Type.String(), Type.Unknown()));
const Stepped = {
  status_before: Type.String(),
  status_after: Type.Optional(Type.String()),
  transitions: Type.Optional(Objects),
  notices: Type.Optional(Objects),
};
const SlotResult = {
  outcome: Outcome,
  reason: Nullable(Type.String()),
  rows: Nullable(Type.Integer()),
};
const Threshold = Type.Object({
  measure: Type.Integer({
    minimum: 0,
    description: "index into the measures of the query, from 0",
  }),
  operator: Word(">", ">=", "<", "<=", "=", "!="),
  value: Type.Number(),
});

/** The additional actions of alerts, channels, deliveries and plugins. */
export const jobOperations: Readonly<Record<string, Partial<Record<Action, ServiceOperation>>>> = {
  alert: {
    test: {
      members: {
        ...Draft,
        options: Type.Optional(
          Type.Object({
            deliver: Type.Optional(Word("none", "me")),
            explain: Type.Optional(Type.Boolean()),
          }),
        ),
      },
      answer: Type.Object({
        evaluated_as: EvaluatedAs,
        ...SlotResult,
        ...Stepped,
        condition: Type.Optional(Type.String()),
        heads: Type.Optional(Type.Array(Type.String())),
        data: Type.Optional(Rows),
        evaluated_at: Type.Optional(Instant),
        explain: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
        delivered_to: Type.Optional(Word("none", "me")),
        delivery: Type.Optional(Type.Object(Attempt)),
      }),
    },
    backtest: {
      members: {
        ...Draft,
        options: Type.Object({
          from: Instant,
          to: Type.Optional(Instant),
          run: Type.Optional(
            Type.Boolean({
              description: "true runs the backtest; absent, only its cost is returned",
            }),
          ),
          source: Type.Optional(Word("query", "ledger")),
          way: Type.Optional(Word("grouped", "slots")),
          list: Type.Optional(Word("changes", "all")),
          thresholds: Type.Optional(Type.Array(Threshold)),
        }),
      },
      answer: Type.Object({
        evaluated_as: Type.Optional(EvaluatedAs),
        source: Word("query", "ledger"),
        way: Type.Optional(Word("grouped", "slots")),
        slot_count: Type.Integer(),
        query_count: Type.Integer({ description: "maximum number of queries that a run sends" }),
        note: Type.Optional(Type.String()),
        ran: Type.Boolean(),
        unknown_count: Type.Optional(Type.Integer()),
        notified_count: Type.Optional(Type.Integer()),
        listed_count: Type.Optional(Type.Integer()),
        slots: Type.Optional(
          Type.Array(
            Type.Object({ slot_at: Instant, ...SlotResult, ...Stepped, data: Type.Optional(Rows) }),
          ),
        ),
      }),
    },
    preview: {
      members: {
        ...Draft,
        options: Type.Optional(
          Type.Object({
            type: Type.Optional(Word("email", "slack", "sms", "teams", "webhook")),
            config: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
          }),
        ),
      },
      answer: Type.Object({
        evaluated_as: EvaluatedAs,
        outcome: Outcome,
        reason: Nullable(Type.String()),
        previews: Type.Array(
          Type.Object({
            channel_id: Nullable(Id),
            type: Type.String(),
            subject: Type.Optional(Type.String()),
            text: Type.Optional(Type.String()),
            html: Type.Optional(Type.String()),
            body: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
          }),
        ),
      }),
    },
  },
  channel: {
    test: {
      members: { id: Id },
      answer: Type.Object({
        results: Type.Array(Type.Object({ recipient: Nullable(Type.String()), ...Attempt })),
      }),
    },
  },
  plugin: {
    explain: {
      members: { id: Id },
      answer: Type.Object({
        id: Id,
        since: Instant,
        calls: Type.Integer({
          description:
            "since the host started; the owner of the plugin sees the calls of all organizations",
        }),
        failures: Type.Integer(),
        last_at: Nullable(Instant),
        milliseconds: Type.Object({
          p50: Nullable(Type.Number()),
          p95: Nullable(Type.Number()),
        }),
      }),
    },
    test: {
      members: {
        id: Id,
        options: Type.Optional(
          Type.Object({
            account_id: Type.Optional(
              Type.String({
                format: "uuid",
                description: "the account whose credentials the check uses",
              }),
            ),
          }),
        ),
      },
      answer: Type.Object({
        id: Id,
        state: Type.String({
          description: "waiting, or running if an earlier check is still under way",
        }),
        verification: Word("unchecked", "verified", "failed"),
        checked_at: Nullable(Instant),
      }),
    },
  },
  delivery: {
    resend: {
      members: { id: Id },
      answer: Type.Unsafe({ $ref: "#/components/schemas/Delivery" }),
    },
  },
};
