// Written by `npm run calls` from the declarations.
/** A record of alertevent, as it is answered. */
export interface Alertevent {
  readonly id: string;
  readonly alert_id?: string;
  readonly slot_at?: string;
  readonly started_at?: string;
  readonly completed_at?: string;
  readonly outcome?: string;
  readonly reason?: string | null;
  readonly rows?: number | null;
  readonly status_before?: string;
  readonly status_after?: string;
  readonly transitions?: ReadonlyArray<Readonly<Record<string, unknown>>>;
  readonly notices?: ReadonlyArray<Readonly<Record<string, unknown>>>;
  readonly user_id?: string;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly [included: string]: unknown;
}

/** The calls of alertevent. */
export interface AlerteventCalls {
  readonly get: {
    readonly members: {
      readonly find?: {
        /**
         * members: id, alert_id, slot_at, started_at, completed_at, outcome, reason, rows,
         * status_before, status_after, transitions, notices, user_id, created_at, updated_at
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
    readonly answer: { readonly count: number; readonly rows: readonly Alertevent[] };
  };
}
