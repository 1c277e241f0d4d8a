// Written by `npm run calls` from the declarations.
/** A record of schedule, as it is answered. */
export interface Schedule {
  readonly id: string;
  readonly frequency_quantity?: number | null;
  readonly frequency_unit?: "minute" | "hour" | "day" | "week" | "month" | "quarter" | "year" | null;
  readonly frequency?: number | null;
  readonly timezone?: string | null;
  readonly active?: boolean;
  readonly task?: string | null;
  readonly export?: Readonly<Record<string, unknown>> | null;
  readonly retries?: number;
  readonly started_at?: string | null;
  readonly completed_at?: string | null;
  readonly scheduled_at?: string | null;
  readonly failure?: string | null;
  readonly securable_id?: string | null;
  readonly user_id?: string;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly [included: string]: unknown;
}

/** The calls of schedule. */
export interface ScheduleCalls {
  readonly create: {
    readonly members: {
      readonly properties: {
        readonly frequency_quantity?: number | null | undefined;
        readonly frequency_unit?: "minute" | "hour" | "day" | "week" | "month" | "quarter" | "year" | null | undefined;
        readonly frequency?: number | null | undefined;
        readonly timezone?: string | null | undefined;
        readonly active?: boolean | undefined;
        readonly task?: string | null | undefined;
        readonly export?: Readonly<Record<string, unknown>> | null | undefined;
        readonly retries?: number | undefined;
        readonly started_at?: string | null | undefined;
      };
      /** made with the record, all or nothing; roles: Securable, Alerts, Channels, User */
      readonly associations?: ReadonlyArray<{
        readonly role: string;
        readonly id: string;
        readonly properties?: Readonly<Record<string, unknown>> | undefined;
      }> | undefined;
    };
    readonly answer: Schedule;
  };
  readonly get: {
    readonly members: {
      readonly find?: {
        /**
         * members: id, frequency_quantity, frequency_unit, frequency, timezone, active, task,
         * export, retries, started_at, completed_at, scheduled_at, failure, securable_id,
         * user_id, created_at, updated_at
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
    readonly answer: { readonly count: number; readonly rows: readonly Schedule[] };
  };
  readonly update: {
    readonly members: {
      readonly id: string;
      readonly properties: {
        readonly frequency_quantity?: number | null | undefined;
        readonly frequency_unit?: "minute" | "hour" | "day" | "week" | "month" | "quarter" | "year" | null | undefined;
        readonly frequency?: number | null | undefined;
        readonly timezone?: string | null | undefined;
        readonly active?: boolean | undefined;
        readonly task?: string | null | undefined;
        readonly export?: Readonly<Record<string, unknown>> | null | undefined;
        readonly retries?: number | undefined;
        readonly started_at?: string | null | undefined;
      };
    };
    readonly answer: Schedule;
  };
  readonly delete: {
    readonly members: { readonly id: string };
    readonly answer: { readonly code: 200 };
  };
  readonly associate: {
    readonly members: {
      readonly id: string;
      /** roles: Securable, Alerts, Channels, User */
      readonly resource: { readonly role: string; readonly id: string };
      readonly properties?: Readonly<Record<string, unknown>> | undefined;
    };
    readonly answer: Schedule & { readonly code: 200 };
  };
  readonly dissociate: {
    readonly members: {
      readonly id: string;
      /** roles: Securable, Alerts, Channels, User */
      readonly resource: { readonly role: string; readonly id: string };
    };
    readonly answer: Schedule & { readonly code: 200 };
  };
  readonly validate: {
    readonly members: {
      /** an update of this record; absent: a create */
      readonly id?: string | undefined;
      readonly properties: Readonly<Record<string, unknown>>;
    };
    readonly answer: { readonly valid: boolean; readonly type?: string; readonly message?: string };
  };
}
