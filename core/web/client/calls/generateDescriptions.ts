// Written by `npm run calls` from the declarations.
/** The calls of generate_descriptions. */
export interface GenerateDescriptionsCalls {
  readonly create: {
    readonly members: {
      readonly properties: {
        readonly datasets: ReadonlyArray<{
          readonly id: string;
          /** by language */
          readonly description?: Readonly<Record<string, string>> | undefined;
          readonly columns?: ReadonlyArray<{
            readonly id: string;
            /** by language */
            readonly description?: Readonly<Record<string, string>> | undefined;
          }> | undefined;
          readonly formulas?: ReadonlyArray<{
            readonly id: string;
            /** by language */
            readonly description?: Readonly<Record<string, string>> | undefined;
          }> | undefined;
        }>;
        readonly languages?: readonly string[] | undefined;
        /** false stores the descriptions; true by default */
        readonly dry?: boolean | undefined;
      };
    };
    readonly answer: {
      readonly properties: {
        readonly datasets: ReadonlyArray<{
          readonly id: string;
          /** by language */
          readonly description?: Readonly<Record<string, string>>;
          readonly columns?: ReadonlyArray<{
            readonly id: string;
            /** by language */
            readonly description?: Readonly<Record<string, string>>;
          }>;
          readonly formulas?: ReadonlyArray<{
            readonly id: string;
            /** by language */
            readonly description?: Readonly<Record<string, string>>;
          }>;
        }>;
      };
      /** what the model did not describe */
      readonly incomplete?: readonly string[];
    };
  };
}
