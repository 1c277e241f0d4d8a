// Written by `npm run calls` from the declarations.
/** A record of organization, as it is answered. */
export interface Organization {
  readonly id: string;
  readonly name?: Readonly<Record<string, string>>;
  readonly country_id?: string | null;
  readonly locale_id?: string | null;
  readonly require_second_factor?: boolean;
  readonly allowed_addresses?: readonly string[] | null;
  readonly custom_metadata?: Readonly<Record<string, unknown>> | null;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly [included: string]: unknown;
}

/** The calls of organization. */
export interface OrganizationCalls {
  readonly get: {
    readonly members: {
      readonly find?: {
        /**
         * members: id, name, country_id, locale_id, require_second_factor, allowed_addresses,
         * custom_metadata, created_at, updated_at
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
    readonly answer: { readonly count: number; readonly rows: readonly Organization[] };
  };
  readonly update: {
    readonly members: {
      readonly id: string;
      readonly properties: {
        readonly name?: Readonly<Record<string, string>> | undefined;
        readonly country_id?: string | null | undefined;
        readonly locale_id?: string | null | undefined;
        readonly require_second_factor?: boolean | undefined;
        readonly allowed_addresses?: readonly string[] | null | undefined;
        readonly custom_metadata?: Readonly<Record<string, unknown>> | null | undefined;
        readonly confirm_lockout?: boolean | undefined;
      };
    };
    readonly answer: Organization;
  };
  readonly associate: {
    readonly members: {
      readonly id: string;
      /**
       * roles: Users, Plugins, Groups, Integrations, Tags, Themes, SSOConfigs, Channels,
       * Thumbnails, Country, Locale
       */
      readonly resource: { readonly role: string; readonly id: string };
      readonly properties?: Readonly<Record<string, unknown>> | undefined;
    };
    readonly answer: Organization & { readonly code: 200 };
  };
  readonly dissociate: {
    readonly members: {
      readonly id: string;
      /**
       * roles: Users, Plugins, Groups, Integrations, Tags, Themes, SSOConfigs, Channels,
       * Thumbnails, Country, Locale
       */
      readonly resource: { readonly role: string; readonly id: string };
    };
    readonly answer: Organization & { readonly code: 200 };
  };
  readonly validate: {
    readonly members: {
      /** an update of this record; absent: a create */
      readonly id?: string | undefined;
      readonly properties: Readonly<Record<string, unknown>>;
    };
    readonly answer: { readonly valid: boolean; readonly type?: string; readonly message?: string };
  };
  readonly explain: {
    readonly members: {};
    readonly answer: {
      readonly id: string;
      readonly quotas: ReadonlyArray<{
        /** rows, bytes, queries, scanned_rows, pushes, jobs, ai_tokens */
        readonly name: string;
        readonly what: string;
        readonly soft: number | null;
        readonly hard: number | null;
        readonly used: number;
        readonly resets_at: string | null;
      }>;
    };
  };
}
