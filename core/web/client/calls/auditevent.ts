// Written by `npm run calls` from the declarations.
/** A record of auditevent, as it is answered. */
export interface Auditevent {
  readonly id: string;
  readonly organization_id?: string;
  readonly user_id?: string;
  readonly authorization_id?: string;
  readonly request_id?: string | null;
  readonly action?: string;
  readonly resource?: string;
  readonly record_id?: string;
  readonly members?: readonly string[];
  readonly target?: Readonly<Record<string, unknown>> | null;
  readonly address?: string | null;
  readonly times?: number;
  readonly digest?: string | null;
  readonly place?: number | null;
  readonly hash?: string | null;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly [included: string]: unknown;
}

/** The calls of auditevent. */
export interface AuditeventCalls {
  readonly get: {
    readonly members: {
      readonly find?: {
        /**
         * members: id, organization_id, user_id, authorization_id, request_id, action,
         * resource, record_id, members, target, address, times, digest, place, hash,
         * created_at, updated_at
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
    readonly answer: { readonly count: number; readonly rows: readonly Auditevent[] };
  };
}
