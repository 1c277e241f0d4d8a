// Written by `npm run calls` from the declarations.
/** A record of group, as it is answered. */
export interface Group {
  readonly id: string;
  readonly name?: string | Readonly<Record<string, string>>;
  readonly public?: boolean;
  readonly organization_id?: string;
  readonly suborganization?: string | null;
  readonly deleted_at?: string | null;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly [included: string]: unknown;
}

/** The calls of group. */
export interface GroupCalls {
  readonly create: {
    readonly members: {
      readonly properties: { readonly name: string | Readonly<Record<string, string>> };
      /**
       * made with the record, all or nothing; roles: Users, Securables, Accounts, Shareables,
       * Collections, Formulas, Integrations, Organization
       */
      readonly associations?: ReadonlyArray<{
        readonly role: string;
        readonly id: string;
        readonly properties?: Readonly<Record<string, unknown>> | undefined;
      }> | undefined;
    };
    readonly answer: Group;
  };
  readonly get: {
    readonly members: {
      readonly find?: {
        /**
         * members: id, name, public, organization_id, suborganization, deleted_at, created_at,
         * updated_at
         */
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
    readonly answer: { readonly count: number; readonly rows: readonly Group[] };
  };
  readonly update: {
    readonly members: {
      readonly id: string;
      readonly properties: { readonly name?: string | Readonly<Record<string, string>> | undefined };
    };
    readonly answer: Group;
  };
  readonly delete: {
    readonly members: { readonly id: string };
    readonly answer: { readonly code: 200 };
  };
  readonly associate: {
    readonly members: {
      readonly id: string;
      /**
       * roles: Users, Securables, Accounts, Shareables, Collections, Formulas, Integrations,
       * Organization
       */
      readonly resource: { readonly role: string; readonly id: string };
      readonly properties?: Readonly<Record<string, unknown>> | undefined;
    };
    readonly answer: Group & { readonly code: 200 };
  };
  readonly dissociate: {
    readonly members: {
      readonly id: string;
      /**
       * roles: Users, Securables, Accounts, Shareables, Collections, Formulas, Integrations,
       * Organization
       */
      readonly resource: { readonly role: string; readonly id: string };
    };
    readonly answer: Group & { readonly code: 200 };
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
