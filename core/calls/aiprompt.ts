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
        readonly input: ReadonlyArray<{ readonly type: "text" | "dataset" | "item"; readonly value: unknown }>;
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
