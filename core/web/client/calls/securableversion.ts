// Written by `npm run calls` from the declarations.
/** A record of securableversion, as it is answered. */
export interface Securableversion {
  readonly id: string;
  readonly name?: Readonly<Record<string, string>> | null;
  readonly contents?: Readonly<Record<string, unknown>> | null;
  readonly css?: string | null;
  readonly environment?: "production" | "acceptance" | "development" | "qa" | null;
  readonly securable_id?: string;
  readonly user_id?: string | null;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly [included: string]: unknown;
}

/** The calls of securableversion. */
export interface SecurableversionCalls {
  readonly get: {
    readonly members: {
      readonly find?: {
        /**
         * members: id, name, contents, css, environment, securable_id, user_id, created_at,
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
    readonly answer: { readonly count: number; readonly rows: readonly Securableversion[] };
  };
  readonly update: {
    readonly members: {
      readonly id: string;
      readonly properties: {
        readonly environment?: "production" | "acceptance" | "development" | "qa" | null | undefined;
      };
    };
    readonly answer: Securableversion;
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
