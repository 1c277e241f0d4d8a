// Written by `npm run calls` from the declarations.
/** A record of currency, as it is answered. */
export interface Currency {
  readonly id: string;
  readonly name?: Readonly<Record<string, string>>;
  readonly symbol?: string;
  readonly decimals?: number;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly [included: string]: unknown;
}

/** The calls of currency. */
export interface CurrencyCalls {
  readonly get: {
    readonly members: {
      readonly find?: {
        /** members: id, name, symbol, decimals, created_at, updated_at */
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
    readonly answer: { readonly count: number; readonly rows: readonly Currency[] };
  };
}
