// Written by `npm run calls` from the declarations.
/** The calls of iqmessage. */
export interface IqmessageCalls {
  readonly create: {
    readonly members: {
      readonly properties: {
        readonly prompt: string;
        readonly order?: number | undefined;
        readonly response_mode?: "text_only" | "mixed" | undefined;
        readonly dataset_id?: string | undefined;
        readonly conversation_id?: string | undefined;
        /** such as nl or pt-BR */
        readonly locale_id?: string | undefined;
      };
    };
    readonly answer: { readonly state: string };
  };
}
