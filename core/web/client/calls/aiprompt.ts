// Written by `npm run calls` from the declarations.
/** The calls of aiprompt. */
export interface AipromptCalls {
  readonly create: {
    readonly members: {
      readonly properties: {
        readonly agent?: "analyst" | "item" | undefined;
        readonly task?: "generate" | "suggest" | "describe" | undefined;
        readonly conversation_id?: string | undefined;
        /** such as nl or pt-BR */
        readonly locale_id?: string | undefined;
        readonly timezone_id?: string | undefined;
        readonly stream?: boolean | undefined;
        /** item_only leaves out the text */
        readonly response_mode?: string | undefined;
        readonly input: ReadonlyArray<{
          readonly type: "text" | "dataset" | "item";
          /** the text, the dataset or datasets, or the item */
          readonly value?: unknown;
          /** another name of value */
          readonly text?: unknown;
          /** another name of value */
          readonly content?: unknown;
          /** another name of value */
          readonly id?: unknown;
          /** another name of value */
          readonly dataset_id?: unknown;
          /** another name of value */
          readonly item?: unknown;
        }>;
      };
    };
    readonly answer: {
      readonly conversation_id: string | null;
      readonly assistant_message: {
        readonly message: string;
        readonly aiMessageAssets: ReadonlyArray<{
          readonly type: "item";
          /** type, options, slots, query and explain */
          readonly value: Readonly<Record<string, unknown>>;
        }>;
        /** numbers without a ground, struck out */
        readonly struck_count: number;
        readonly choices?: readonly string[];
      };
    };
  };
}
