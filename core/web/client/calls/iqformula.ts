// Written by `npm run calls` from the declarations.
/** The calls of iqformula. */
export interface IqformulaCalls {
  readonly create: {
    readonly members: {
      readonly properties: {
        readonly dataset_id: string;
        readonly prompt: string;
        readonly kind?: "formula" | "column" | undefined;
        /** such as nl or pt-BR */
        readonly locale_id?: string | undefined;
        readonly timezone_id?: string | undefined;
      };
    };
    readonly answer: {
      /** members that create takes */
      readonly formula?: {
        /** by language */
        readonly name: Readonly<Record<string, string>>;
        /** by language */
        readonly description: Readonly<Record<string, string>>;
        readonly expression: string;
        readonly type: string;
      };
      /** members that create takes */
      readonly column?: {
        /** by language */
        readonly name: Readonly<Record<string, string>>;
        /** by language */
        readonly description: Readonly<Record<string, string>>;
        readonly expression: string;
        readonly type: string;
      };
      readonly query: Readonly<Record<string, unknown>>;
      readonly result: {
        readonly columns: readonly string[];
        readonly rows: ReadonlyArray<readonly unknown[]>;
        readonly is_cut: boolean;
      };
      /** numbers without a ground, struck out */
      readonly struck_count: number;
      /** where the console shows the answer */
      readonly open_url?: string;
    };
  };
}
