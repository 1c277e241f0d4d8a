// Written by `npm run calls` from the declarations.
/** The calls of hierarchy. */
export interface HierarchyCalls {
  readonly get: {
    readonly members: {
      readonly find: {
        readonly where: {
          readonly column_id?: string | undefined;
          /** the column, in place of column_id */
          readonly id?: string | undefined;
          /** one value of the column */
          readonly value?: string | undefined;
        };
        readonly limit?: number | undefined;
        readonly offset?: number | undefined;
      };
    };
    readonly answer: { readonly count: number; readonly rows: ReadonlyArray<Readonly<Record<string, unknown>>> };
  };
  readonly update: {
    readonly members: {
      /** of the column */
      readonly id: string;
      readonly properties: {
        readonly updates: ReadonlyArray<{
          /** the value; cleared by nulls, it is removed */
          readonly id: string;
          readonly name?: Readonly<Record<string, string>> | null | undefined;
          readonly color?: string | null | undefined;
          readonly virtual?: boolean | undefined;
          readonly trace?: readonly string[] | null | undefined;
          readonly level?: number | null | undefined;
          readonly subTreeLevel?: number | null | undefined;
        }>;
      };
    };
    readonly answer: { readonly id: string; readonly count: number; readonly code: 200 };
  };
}
