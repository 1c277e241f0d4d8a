import Type, { type TSchema } from "typebox";
import type { Action } from "../../base/index.ts";
import { reference } from "./reference.ts";
import { Explanation, type ServiceOperation } from "./serviceSchemas.ts";

const Id = Type.String({ format: "uuid" });
const Word = (...words: readonly string[]): TSchema =>
  Type.Union(words.map((word) => Type.Literal(word)));
const Nullable = (schema: TSchema) => Type.Union([schema, Type.Null()]);
const Draft = {
  id: Type.Optional(
    Type.String({
      format: "uuid",
      description: "Id of the alert. Absent for an alert that does not exist yet.",
    }),
  ),
  properties: Type.Optional(reference("AlertDraft")),
};
const EvaluatedAs = Type.String({
  description: "Whose rights the evaluation used: user, token or caller.",
});
const Outcome = Type.String({
  description: "How the evaluation ended: answered, failed or skipped.",
});
const Instant = Type.String({ format: "date-time" });
const Rows = Type.Array(Type.Array(reference("AnswerCell")));
const Attempt = {
  outcome: Type.String({
    description: "How the delivery ended: delivered, accepted, unsubscribed or failed.",
  }),
  problem: Nullable(Type.String()),
};
const Stepped = {
  status_before: Type.String(),
  status_after: Type.Optional(Type.String()),
  transitions: Type.Optional(Type.Array(reference("AlertTransition"))),
  notices: Type.Optional(Type.Array(reference("AlertNotice"))),
};
const SlotResult = {
  outcome: Outcome,
  reason: Nullable(Type.String()),
  rows: Nullable(Type.Integer()),
};
const Threshold = Type.Object({
  measure: Type.Integer({
    minimum: 0,
    description: "Index into the measures of the query, from 0.",
  }),
  operator: Word(">", ">=", "<", "<=", "=", "!="),
  value: Type.Number(),
});

/** The actions of alerts, channels, deliveries and plugins beyond the common ones, by resource and action. */
export const jobOperations: Readonly<Record<string, Partial<Record<Action, ServiceOperation>>>> = {
  alert: {
    test: {
      summary: "Evaluates an alert now, without changing its state",
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
        explain: Type.Optional(Explanation),
        delivered_to: Type.Optional(Word("none", "me")),
        delivery: Type.Optional(Type.Object(Attempt)),
      }),
    },
    backtest: {
      summary: "Shows when an alert would have triggered in the past",
      members: {
        ...Draft,
        options: Type.Object({
          from: Instant,
          to: Type.Optional(Instant),
          run: Type.Optional(
            Type.Boolean({
              description:
                "`true` runs the backtest. Absent: only the cost of the backtest is returned.",
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
        query_count: Type.Integer({ description: "Maximum number of queries that a run sends." }),
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
      summary: "Writes the message of an alert without sending it",
      members: {
        ...Draft,
        options: Type.Optional(
          Type.Object({
            type: Type.Optional(Word("email", "slack", "sms", "teams", "webhook")),
            config: Type.Optional(reference("ChannelConfig")),
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
      summary: "Sends a test message through a channel",
      members: { id: Id },
      answer: Type.Object({
        results: Type.Array(Type.Object({ recipient: Nullable(Type.String()), ...Attempt })),
      }),
    },
  },
  plugin: {
    explain: {
      summary: "Returns how fast and how reliably a plugin answers",
      members: { id: Id },
      answer: Type.Object({
        id: Id,
        since: Instant,
        calls: Type.Integer({
          description:
            "Number of calls since the host started. The owner of the plugin sees the calls of all organizations.",
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
      summary: "Checks a plugin with the conformance kit",
      members: {
        id: Id,
        options: Type.Optional(
          Type.Object({
            account_id: Type.Optional(
              Type.String({
                format: "uuid",
                description: "The account whose credentials the check uses.",
              }),
            ),
          }),
        ),
      },
      answer: Type.Object({
        id: Id,
        state: Type.String({
          description:
            "State of the check: waiting, or running if an earlier check is still under way.",
        }),
        verification: Word("unchecked", "verified", "failed"),
        checked_at: Nullable(Instant),
        problem: Type.Union([Type.String(), Type.Null()], {
          description: "Why the plugin cannot be called at the moment. Null if it can.",
        }),
      }),
    },
  },
  delivery: {
    resend: {
      summary: "Sends a message again",
      members: { id: Id },
      answer: reference("Delivery"),
    },
  },
};
