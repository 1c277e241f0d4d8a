// Written by `npm run calls` from the declarations.
/** The calls of aisummary. */
export interface AisummaryCalls {
  readonly create: {
    readonly members: {
      readonly properties: {
        readonly query?: Readonly<Record<string, unknown>> | undefined;
        /** an item with its query, instead of query */
        readonly item?: Readonly<Record<string, unknown>> | undefined;
        readonly title?: string | undefined;
        /** such as nl or pt-BR */
        readonly locale_id?: string | undefined;
      };
    };
    readonly answer: string;
  };
}
