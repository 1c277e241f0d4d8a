// Written by `npm run calls` from the declarations.
/** A record of collection, as it is answered. */
export interface Collection {
  readonly id: string;
  readonly name?: string | Readonly<Record<string, string>>;
  readonly favorite?: boolean;
  readonly user_id?: string;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly [included: string]: unknown;
}

/** The calls of collection. */
export interface CollectionCalls {
  readonly create: {
    readonly members: {
      readonly properties: {
        readonly name: string | Readonly<Record<string, string>>;
        readonly favorite?: boolean | undefined;
      };
      /** made with the record, all or nothing; roles: Securables, Users, Groups, Owner */
      readonly associations?: ReadonlyArray<{
        readonly role: string;
        readonly id: string;
        readonly properties?: Readonly<Record<string, unknown>> | undefined;
      }> | undefined;
    };
    readonly answer: Collection;
  };
  readonly get: {
    readonly members: {
      readonly find?: {
        /** members: id, name, favorite, user_id, created_at, updated_at */
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
    readonly answer: { readonly count: number; readonly rows: readonly Collection[] };
  };
  readonly update: {
    readonly members: {
      readonly id: string;
      readonly properties: {
        readonly name?: string | Readonly<Record<string, string>> | undefined;
        readonly favorite?: boolean | undefined;
      };
    };
    readonly answer: Collection;
  };
  readonly delete: {
    readonly members: { readonly id: string };
    readonly answer: { readonly code: 200 };
  };
  readonly associate: {
    readonly members: {
      readonly id: string;
      /** roles: Securables, Users, Groups, Owner */
      readonly resource: { readonly role: string; readonly id: string };
      readonly properties?: Readonly<Record<string, unknown>> | undefined;
    };
    readonly answer: Collection & { readonly code: 200 };
  };
  readonly dissociate: {
    readonly members: {
      readonly id: string;
      /** roles: Securables, Users, Groups, Owner */
      readonly resource: { readonly role: string; readonly id: string };
    };
    readonly answer: Collection & { readonly code: 200 };
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
