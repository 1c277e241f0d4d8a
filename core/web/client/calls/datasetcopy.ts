// Written by `npm run calls` from the declarations.
/** A record of datasetcopy, as it is answered. */
export interface Datasetcopy {
  readonly id: string;
  readonly securable_id?: string;
  readonly status?: "waiting" | "copying" | "ready" | "failed";
  readonly load?: string | null;
  readonly rows?: number | null;
  readonly bytes?: number | null;
  readonly copied_rows?: number | null;
  readonly started_at?: string | null;
  readonly completed_at?: string | null;
  readonly as_of?: string | null;
  readonly full_at?: string | null;
  readonly failure?: string | null;
  readonly failed_at?: string | null;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly [included: string]: unknown;
}

/** The calls of datasetcopy. */
export interface DatasetcopyCalls {
  readonly get: {
    readonly members: {
      readonly find?: {
        /**
         * members: id, securable_id, status, load, rows, bytes, copied_rows, started_at,
         * completed_at, as_of, full_at, failure, failed_at, created_at, updated_at
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
    readonly answer: { readonly count: number; readonly rows: readonly Datasetcopy[] };
  };
}
