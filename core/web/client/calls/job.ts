// Written by `npm run calls` from the declarations.
/** The calls of job. */
export interface JobCalls {
  readonly get: {
    readonly members: {
      readonly find?: {
        readonly where?: {
          readonly id?: string | undefined;
          readonly name?: string | undefined;
          readonly state?: "waiting" | "running" | "completed" | "failed" | "cancelled" | ReadonlyArray<"waiting" | "running" | "completed" | "failed" | "cancelled"> | undefined;
        } | undefined;
        readonly limit?: number | undefined;
        readonly offset?: number | undefined;
      } | undefined;
    };
    readonly answer: { readonly count: number; readonly rows: ReadonlyArray<Readonly<Record<string, unknown>>> };
  };
  readonly update: {
    readonly members: { readonly id: string; readonly properties: { readonly state: "waiting" | "cancelled" } };
    readonly answer: Readonly<Record<string, unknown>>;
  };
}
