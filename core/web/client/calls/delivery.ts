// Written by `npm run calls` from the declarations.
/** A record of delivery, as it is answered. */
export interface Delivery {
  readonly id: string;
  readonly alertevent_id?: string | null;
  readonly exportevent_id?: string | null;
  readonly channel_id?: string | null;
  readonly user_id?: string | null;
  readonly kind?: string;
  readonly digest_id?: string | null;
  readonly recipient?: string | null;
  readonly outcome?: string;
  readonly attempts?: number;
  readonly problem?: string | null;
  readonly next_attempt_at?: string | null;
  readonly completed_at?: string | null;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly [included: string]: unknown;
}

/** The calls of delivery. */
export interface DeliveryCalls {
  readonly get: {
    readonly members: {
      readonly find?: {
        /**
         * members: id, alertevent_id, exportevent_id, channel_id, user_id, kind, digest_id,
         * recipient, outcome, attempts, problem, next_attempt_at, completed_at, created_at,
         * updated_at
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
    readonly answer: { readonly count: number; readonly rows: readonly Delivery[] };
  };
  readonly resend: {
    readonly members: { readonly id: string };
    readonly answer: Delivery;
  };
}
