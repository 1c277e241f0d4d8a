// Written by `npm run calls` from the declarations.
/** A record of customchart, as it is answered. */
export interface Customchart {
  readonly id: string;
  readonly name?: string | Readonly<Record<string, string>>;
  readonly type?: string;
  readonly script?: string;
  readonly approved_version_id?: string | null;
  readonly status?: "draft" | "changed" | "approved";
  readonly slots_config?: Readonly<Record<string, unknown>> | null;
  readonly organization_id?: string;
  readonly suborganization?: string | null;
  readonly user_id?: string | null;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly [included: string]: unknown;
}

/** The calls of customchart. */
export interface CustomchartCalls {
  readonly create: {
    readonly members: {
      readonly properties: {
        readonly name: string | Readonly<Record<string, string>>;
        readonly type: string;
        readonly script: string;
        readonly slots_config?: Readonly<Record<string, unknown>> | null | undefined;
      };
      /** made with the record, all or nothing; roles: Organization, Author */
      readonly associations?: ReadonlyArray<{
        readonly role: string;
        readonly id: string;
        readonly properties?: Readonly<Record<string, unknown>> | undefined;
      }> | undefined;
    };
    readonly answer: Customchart;
  };
  readonly get: {
    readonly members: {
      readonly find?: {
        /**
         * members: id, name, type, script, approved_version_id, status, slots_config,
         * organization_id, suborganization, user_id, created_at, updated_at
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
    readonly answer: { readonly count: number; readonly rows: readonly Customchart[] };
  };
  readonly update: {
    readonly members: {
      readonly id: string;
      readonly properties: {
        readonly name?: string | Readonly<Record<string, string>> | undefined;
        readonly type?: string | undefined;
        readonly script?: string | undefined;
        readonly approved_version_id?: string | null | undefined;
        readonly slots_config?: Readonly<Record<string, unknown>> | null | undefined;
      };
    };
    readonly answer: Customchart;
  };
  readonly delete: {
    readonly members: { readonly id: string };
    readonly answer: { readonly code: 200 };
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
