// Written by `npm run calls` from the declarations.
/** The calls of aichart. */
export interface AichartCalls {
  readonly create: {
    readonly members: {
      readonly properties: {
        readonly type: "generate-chart" | "generate-example-questions";
        readonly dataset_id: string;
        readonly question?: string | undefined;
        /** such as nl or pt-BR */
        readonly locale_id?: string | undefined;
      };
    };
    readonly answer: {
      /** type, options, slots, query and explain */
      readonly generatedChart?: Readonly<Record<string, unknown>>;
      readonly explain?: unknown;
      /** numbers without a ground, struck out of the title */
      readonly struck_count?: number;
      /** where the console shows the answer */
      readonly open_url?: string;
      readonly examples?: ReadonlyArray<{ readonly title: string }>;
    };
  };
}
