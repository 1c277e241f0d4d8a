// Written by `npm run calls` from the declarations.
/** A record of exportevent, as it is answered. */
export interface Exportevent {
  readonly id: string;
  readonly schedule_id?: string;
  readonly slot_at?: string;
  readonly started_at?: string;
  readonly completed_at?: string;
  readonly outcome?: string;
  readonly reason?: string | null;
  readonly type?: string | null;
  readonly size_bytes?: number | null;
  readonly user_id?: string;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly [included: string]: unknown;
}

/** The calls of exportevent. */
export interface ExporteventCalls {
  readonly get: {
    readonly members: {
      readonly find?: {
        /**
         * members: id, schedule_id, slot_at, started_at, completed_at, outcome, reason, type,
         * size_bytes, user_id, created_at, updated_at
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
    readonly answer: { readonly count: number; readonly rows: readonly Exportevent[] };
  };
}
