// Written by `npm run calls` from the declarations.
/** A record of formula, as it is answered. */
export interface Formula {
  readonly id: string;
  readonly name?: Readonly<Record<string, string>> | null;
  readonly description?: Readonly<Record<string, string>> | null;
  readonly expression?: string;
  readonly type?: "numeric" | "datetime" | "hierarchy";
  readonly subtype?: "currency" | "duration" | "date" | "datetime" | null;
  readonly format?: string | null;
  readonly informat?: string | null;
  readonly lowestLevel?: number | null;
  readonly currency_id?: string | null;
  readonly custom_metadata?: Readonly<Record<string, unknown>> | null;
  readonly ai_context?: string | null;
  readonly user_id?: string;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly [included: string]: unknown;
}

/** The calls of formula. */
export interface FormulaCalls {
  readonly create: {
    readonly members: {
      readonly properties: {
        readonly name?: Readonly<Record<string, string>> | null | undefined;
        readonly description?: Readonly<Record<string, string>> | null | undefined;
        readonly expression: string;
        readonly type?: "numeric" | "datetime" | "hierarchy" | undefined;
        readonly subtype?: "currency" | "duration" | "date" | "datetime" | null | undefined;
        readonly format?: string | null | undefined;
        readonly informat?: string | null | undefined;
        readonly lowestLevel?: number | null | undefined;
        readonly currency_id?: string | null | undefined;
        readonly custom_metadata?: Readonly<Record<string, unknown>> | null | undefined;
        readonly ai_context?: string | null | undefined;
      };
      /** made with the record, all or nothing; roles: Securables, Users, Groups, Currency, Owner */
      readonly associations?: ReadonlyArray<{
        readonly role: string;
        readonly id: string;
        readonly properties?: Readonly<Record<string, unknown>> | undefined;
      }> | undefined;
    };
    readonly answer: Formula;
  };
  readonly get: {
    readonly members: {
      readonly find?: {
        /**
         * members: id, name, description, expression, type, subtype, format, informat,
         * lowestLevel, currency_id, custom_metadata, ai_context, user_id, created_at,
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
    readonly answer: { readonly count: number; readonly rows: readonly Formula[] };
  };
  readonly update: {
    readonly members: {
      readonly id: string;
      readonly properties: {
        readonly name?: Readonly<Record<string, string>> | null | undefined;
        readonly description?: Readonly<Record<string, string>> | null | undefined;
        readonly expression?: string | undefined;
        readonly type?: "numeric" | "datetime" | "hierarchy" | undefined;
        readonly subtype?: "currency" | "duration" | "date" | "datetime" | null | undefined;
        readonly format?: string | null | undefined;
        readonly informat?: string | null | undefined;
        readonly lowestLevel?: number | null | undefined;
        readonly currency_id?: string | null | undefined;
        readonly custom_metadata?: Readonly<Record<string, unknown>> | null | undefined;
        readonly ai_context?: string | null | undefined;
      };
    };
    readonly answer: Formula;
  };
  readonly delete: {
    readonly members: { readonly id: string };
    readonly answer: { readonly code: 200 };
  };
  readonly associate: {
    readonly members: {
      readonly id: string;
      /** roles: Securables, Users, Groups, Currency, Owner */
      readonly resource: { readonly role: string; readonly id: string };
      readonly properties?: Readonly<Record<string, unknown>> | undefined;
    };
    readonly answer: Formula & { readonly code: 200 };
  };
  readonly dissociate: {
    readonly members: {
      readonly id: string;
      /** roles: Securables, Users, Groups, Currency, Owner */
      readonly resource: { readonly role: string; readonly id: string };
    };
    readonly answer: Formula & { readonly code: 200 };
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
