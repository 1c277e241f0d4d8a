// Written by `npm run calls` from the declarations.
/** A record of alert, as it is answered. */
export interface Alert {
  readonly id: string;
  readonly name?: string | Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly chart_id?: string | null;
  readonly frequency?: string | Readonly<Record<string, unknown>>;
  readonly timezone_id?: string | null;
  readonly securable_id?: string | null;
  readonly schedule_id?: string | null;
  readonly user_id?: string;
  readonly notify?: "every" | "change";
  readonly for?: string | Readonly<Record<string, unknown>> | null;
  readonly keep_firing_for?: string | Readonly<Record<string, unknown>> | null;
  readonly instance_by?: readonly string[] | null;
  readonly no_data?: "ok" | "keep" | "fire";
  readonly error?: "ok" | "keep" | "fire";
  readonly recovery?: Readonly<Record<string, unknown>> | null;
  readonly mute_until?: string | null;
  readonly status?: string;
  readonly stopped_reason?: string | null;
  readonly evaluated_at?: string | null;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly [included: string]: unknown;
}

/** The calls of alert. */
export interface AlertCalls {
  readonly create: {
    readonly members: {
      readonly properties: {
        readonly name: string | Readonly<Record<string, string>>;
        readonly query: Readonly<Record<string, unknown>>;
        readonly chart_id?: string | null | undefined;
        readonly frequency: string | Readonly<Record<string, unknown>>;
        readonly timezone_id?: string | null | undefined;
        readonly securable_id?: string | null | undefined;
        readonly notify?: "every" | "change" | undefined;
        readonly for?: string | Readonly<Record<string, unknown>> | null | undefined;
        readonly keep_firing_for?: string | Readonly<Record<string, unknown>> | null | undefined;
        readonly instance_by?: readonly string[] | null | undefined;
        readonly no_data?: "ok" | "keep" | "fire" | undefined;
        readonly error?: "ok" | "keep" | "fire" | undefined;
        readonly recovery?: Readonly<Record<string, unknown>> | null | undefined;
        readonly mute_until?: string | null | undefined;
        readonly channels?: ReadonlyArray<Readonly<Record<string, unknown>>> | null | undefined;
      };
      /** made with the record, all or nothing; roles: Schedule, Securable, Channels, User */
      readonly associations?: ReadonlyArray<{
        readonly role: string;
        readonly id: string;
        readonly properties?: Readonly<Record<string, unknown>> | undefined;
      }> | undefined;
    };
    readonly answer: Alert;
  };
  readonly get: {
    readonly members: {
      readonly find?: {
        /**
         * members: id, name, query, chart_id, frequency, timezone_id, securable_id,
         * schedule_id, user_id, notify, for, keep_firing_for, instance_by, no_data, error,
         * recovery, mute_until, status, stopped_reason, evaluated_at, created_at, updated_at
         */
        readonly where?: Readonly<Record<string, unknown>> | undefined;
        readonly search?: { readonly keyphrase: string; readonly match_types?: readonly string[] | undefined } | undefined;
        readonly attributes?: readonly string[] | undefined;
        readonly include?: ReadonlyArray<string | {
          readonly model: string;
          /** the role, where several have the model */
          readonly as?: string | undefined;
          readonly attributes?: readonly string[] | undefined;
          readonly where?: Readonly<Record<string, unknown>> | undefined;
          readonly order?: readonly unknown[] | undefined;
          readonly include?: readonly unknown[] | undefined;
          readonly jointype?: "inner" | "left" | undefined;
        }> | undefined;
        readonly order?: readonly unknown[] | undefined;
        readonly limit?: number | undefined;
        readonly offset?: number | undefined;
      } | undefined;
    };
    readonly answer: { readonly count: number; readonly rows: readonly Alert[] };
  };
  readonly update: {
    readonly members: {
      readonly id: string;
      readonly properties: {
        readonly name?: string | Readonly<Record<string, string>> | undefined;
        readonly query?: Readonly<Record<string, unknown>> | undefined;
        readonly chart_id?: string | null | undefined;
        readonly frequency?: string | Readonly<Record<string, unknown>> | undefined;
        readonly timezone_id?: string | null | undefined;
        readonly securable_id?: string | null | undefined;
        readonly notify?: "every" | "change" | undefined;
        readonly for?: string | Readonly<Record<string, unknown>> | null | undefined;
        readonly keep_firing_for?: string | Readonly<Record<string, unknown>> | null | undefined;
        readonly instance_by?: readonly string[] | null | undefined;
        readonly no_data?: "ok" | "keep" | "fire" | undefined;
        readonly error?: "ok" | "keep" | "fire" | undefined;
        readonly recovery?: Readonly<Record<string, unknown>> | null | undefined;
        readonly mute_until?: string | null | undefined;
      };
    };
    readonly answer: Alert;
  };
  readonly delete: {
    readonly members: { readonly id: string; readonly properties?: Readonly<Record<string, unknown>> | undefined };
    readonly answer: { readonly code: 200 };
  };
  readonly associate: {
    readonly members: {
      readonly id: string;
      /** roles: Schedule, Securable, Channels, User */
      readonly resource: { readonly role: string; readonly id: string };
      readonly properties?: Readonly<Record<string, unknown>> | undefined;
    };
    readonly answer: Alert & { readonly code: 200 };
  };
  readonly dissociate: {
    readonly members: {
      readonly id: string;
      /** roles: Schedule, Securable, Channels, User */
      readonly resource: { readonly role: string; readonly id: string };
    };
    readonly answer: Alert & { readonly code: 200 };
  };
  readonly validate: {
    readonly members: {
      /** an update of this record; absent: a create */
      readonly id?: string | undefined;
      readonly properties: Readonly<Record<string, unknown>>;
    };
    readonly answer: { readonly valid: boolean; readonly type?: string; readonly message?: string };
  };
  readonly test: {
    readonly members: {
      /** absent for an alert not made yet */
      readonly id?: string | undefined;
      /** members of an alert that replace those of the record */
      readonly properties?: Readonly<Record<string, unknown>> | undefined;
      readonly options?: { readonly deliver?: "none" | "me" | undefined; readonly explain?: boolean | undefined } | undefined;
    };
    readonly answer: {
      /** user, token or caller */
      readonly evaluated_as: string;
      /** answered, failed or skipped */
      readonly outcome: string;
      readonly reason: string | null;
      readonly rows: number | null;
      readonly status_before: string;
      readonly status_after?: string;
      readonly transitions?: ReadonlyArray<Readonly<Record<string, unknown>>>;
      readonly notices?: ReadonlyArray<Readonly<Record<string, unknown>>>;
      readonly condition?: string;
      readonly heads?: readonly string[];
      readonly data?: ReadonlyArray<readonly unknown[]>;
      readonly evaluated_at?: string;
      readonly explain?: Readonly<Record<string, unknown>>;
      readonly delivered_to?: "none" | "me";
      readonly delivery?: {
        /** delivered, accepted, unsubscribed or failed */
        readonly outcome: string;
        readonly problem: string | null;
      };
    };
  };
  readonly backtest: {
    readonly members: {
      /** absent for an alert not made yet */
      readonly id?: string | undefined;
      /** members of an alert that replace those of the record */
      readonly properties?: Readonly<Record<string, unknown>> | undefined;
      readonly options: {
        readonly from: string;
        readonly to?: string | undefined;
        /** absent: only the cost is told */
        readonly run?: boolean | undefined;
        readonly source?: "query" | "ledger" | undefined;
        readonly way?: "grouped" | "slots" | undefined;
        readonly list?: "changes" | "all" | undefined;
        readonly thresholds?: ReadonlyArray<{
          /** its place among the measures of the query */
          readonly measure: number;
          readonly operator: ">" | ">=" | "<" | "<=" | "=" | "!=";
          readonly value: number;
        }> | undefined;
      };
    };
    readonly answer: {
      /** user, token or caller */
      readonly evaluated_as?: string;
      readonly source: "query" | "ledger";
      readonly way?: "grouped" | "slots";
      readonly slot_count: number;
      /** the most that a run asks */
      readonly query_count: number;
      readonly note?: string;
      readonly ran: boolean;
      readonly unknown_count?: number;
      readonly notified_count?: number;
      readonly listed_count?: number;
      readonly slots?: ReadonlyArray<{
        readonly slot_at: string;
        /** answered, failed or skipped */
        readonly outcome: string;
        readonly reason: string | null;
        readonly rows: number | null;
        readonly status_before: string;
        readonly status_after?: string;
        readonly transitions?: ReadonlyArray<Readonly<Record<string, unknown>>>;
        readonly notices?: ReadonlyArray<Readonly<Record<string, unknown>>>;
        readonly data?: ReadonlyArray<readonly unknown[]>;
      }>;
    };
  };
  readonly preview: {
    readonly members: {
      /** absent for an alert not made yet */
      readonly id?: string | undefined;
      /** members of an alert that replace those of the record */
      readonly properties?: Readonly<Record<string, unknown>> | undefined;
      readonly options?: {
        readonly type?: "email" | "slack" | "sms" | "teams" | "webhook" | undefined;
        readonly config?: Readonly<Record<string, unknown>> | undefined;
      } | undefined;
    };
    readonly answer: {
      /** user, token or caller */
      readonly evaluated_as: string;
      /** answered, failed or skipped */
      readonly outcome: string;
      readonly reason: string | null;
      readonly previews: ReadonlyArray<{
        readonly channel_id: string | null;
        readonly type: string;
        readonly subject?: string;
        readonly text?: string;
        readonly html?: string;
        readonly body?: Readonly<Record<string, unknown>>;
      }>;
    };
  };
}
