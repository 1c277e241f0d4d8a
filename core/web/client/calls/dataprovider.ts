// Written by `npm run calls` from the declarations.
/** The calls of dataprovider. */
export interface DataproviderCalls {
  readonly get: {
    readonly members: {
      readonly find: {
        readonly provider?: string | undefined;
        /** absent for the list of providers, or the properties of one */
        readonly account_id?: string | undefined;
      };
    };
    readonly answer: { readonly count: number; readonly rows: ReadonlyArray<Readonly<Record<string, unknown>>> };
  };
  readonly create: {
    readonly members: {
      readonly properties: {
        /** of the account, if it is named */
        readonly provider?: string | undefined;
        readonly account_id: string;
        readonly datasets?: readonly string[] | undefined;
        readonly tables?: ReadonlyArray<{ readonly schema?: string | undefined; readonly table: string }> | undefined;
        /** one select statement, in the place of datasets and tables */
        readonly query?: string | undefined;
        /** another name of query */
        readonly sql?: string | undefined;
        /** of the dataset that is a statement */
        readonly name?: string | Readonly<Record<string, string>> | undefined;
        readonly parameters?: ReadonlyArray<{
          /** its name, with or without metadata. before it */
          readonly parameter: string;
          /** of its value, such as hierarchy or array[numeric] */
          readonly type: string;
          /** the default */
          readonly value?: unknown;
        }> | undefined;
      };
    };
    readonly answer: { readonly count: number; readonly data: ReadonlyArray<Readonly<Record<string, unknown>>> };
  };
}
