// Written by `npm run calls` from the declarations.
/** A record of hierarchylevel, as it is answered. */
export interface Hierarchylevel {
  readonly id: string;
  readonly name?: Readonly<Record<string, string>> | null;
  readonly level?: number;
  readonly color?: string | null;
  readonly column_id?: string | null;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly [included: string]: unknown;
}

/** The calls of hierarchylevel. */
export interface HierarchylevelCalls {
  readonly create: {
    readonly members: {
      readonly properties: {
        readonly name?: Readonly<Record<string, string>> | null | undefined;
        readonly level?: number | undefined;
        readonly color?: string | null | undefined;
      };
      /** made with the record, all or nothing; roles: Column */
      readonly associations?: ReadonlyArray<{
        readonly role: string;
        readonly id: string;
        readonly properties?: Readonly<Record<string, unknown>> | undefined;
      }> | undefined;
    };
    readonly answer: Hierarchylevel;
  };
  readonly get: {
    readonly members: {
      readonly find?: {
        /** members: id, name, level, color, column_id, created_at, updated_at */
        readonly where?: Readonly<Record<string, unknown>> | undefined;
        readonly search?: { readonly keyphrase: string; readonly match_types?: readonly string[] | undefined } | undefined;
        readonly attributes?: readonly string[] | undefined;
        readonly include?: ReadonlyArray<string | {
          readonly model: string;
          /** the role, where several have the model */
          readonly as?: string | undefined;
          readonly attributes?: readonly string[] | undefined;
          readonly where?: Readonly<Record<string, unknown>> | undefined;
          readonly order?: readonly unknown[] | undefined;
          readonly include?: readonly unknown[] | undefined;
          readonly jointype?: "inner" | "left" | undefined;
        }> | undefined;
        readonly order?: readonly unknown[] | undefined;
        readonly limit?: number | undefined;
        readonly offset?: number | undefined;
      } | undefined;
    };
    readonly answer: { readonly count: number; readonly rows: readonly Hierarchylevel[] };
  };
  readonly update: {
    readonly members: {
      readonly id: string;
      readonly properties: {
        readonly name?: Readonly<Record<string, string>> | null | undefined;
        readonly level?: number | undefined;
        readonly color?: string | null | undefined;
      };
    };
    readonly answer: Hierarchylevel;
  };
  readonly delete: {
    readonly members: { readonly id: string };
    readonly answer: { readonly code: 200 };
  };
  readonly associate: {
    readonly members: {
      readonly id: string;
      /** roles: Column */
      readonly resource: { readonly role: string; readonly id: string };
      readonly properties?: Readonly<Record<string, unknown>> | undefined;
    };
    readonly answer: Hierarchylevel & { readonly code: 200 };
  };
  readonly dissociate: {
    readonly members: {
      readonly id: string;
      /** roles: Column */
      readonly resource: { readonly role: string; readonly id: string };
    };
    readonly answer: Hierarchylevel & { readonly code: 200 };
  };
  readonly validate: {
    readonly members: {
      /** an update of this record; absent: a create */
      readonly id?: string | undefined;
      readonly properties: Readonly<Record<string, unknown>>;
    };
    readonly answer: { readonly valid: boolean; readonly type?: string; readonly message?: string };
  };
}
