// Written by `npm run calls` from the declarations.
/** A record of plugin, as it is answered. */
export interface Plugin {
  readonly id: string;
  readonly slug?: string;
  readonly name?: Readonly<Record<string, string>>;
  readonly description?: Readonly<Record<string, string>> | null;
  readonly base_url?: string;
  readonly pushdown?: boolean;
  readonly authorize?: "none" | "token" | "host/key/token" | "oauth2" | "custom";
  readonly properties?: ReadonlyArray<Readonly<Record<string, unknown>>> | null;
  readonly protocol_version?: "1.0.0" | "1.1.0" | "2.0.0" | "3.0.0" | "manifold-1" | null;
  readonly search?: boolean;
  readonly supports_distinctcount?: boolean;
  readonly supports_order_limit?: boolean;
  readonly supports_join?: boolean;
  readonly supports_like?: boolean;
  readonly supports_nested_filters?: boolean;
  readonly supports_sql?: boolean;
  readonly tiles?: boolean;
  readonly color?: string | null;
  readonly url?: string | null;
  readonly license?: string | null;
  readonly public?: boolean;
  readonly reviewed?: boolean;
  readonly verification?: "unchecked" | "verified" | "failed";
  readonly checked_at?: string | null;
  readonly check_report?: Readonly<Record<string, unknown>> | null;
  readonly previous_secret_until?: string | null;
  readonly user_id?: string;
  readonly organization_id?: string;
  readonly created_at?: string;
  readonly updated_at?: string;
  /** flags that lead to no pushdown, and why */
  readonly warnings?: readonly string[];
  readonly [included: string]: unknown;
}

/** The calls of plugin. */
export interface PluginCalls {
  readonly create: {
    readonly members: {
      readonly properties: {
        readonly slug: string;
        readonly name: Readonly<Record<string, string>>;
        readonly description?: Readonly<Record<string, string>> | null | undefined;
        readonly base_url: string;
        readonly pushdown?: boolean | undefined;
        readonly authorize?: "none" | "token" | "host/key/token" | "oauth2" | "custom" | undefined;
        readonly properties?: ReadonlyArray<Readonly<Record<string, unknown>>> | null | undefined;
        readonly protocol_version?: "1.0.0" | "1.1.0" | "2.0.0" | "3.0.0" | "manifold-1" | null | undefined;
        readonly search?: boolean | undefined;
        readonly supports_distinctcount?: boolean | undefined;
        readonly supports_order_limit?: boolean | undefined;
        readonly supports_join?: boolean | undefined;
        readonly supports_like?: boolean | undefined;
        readonly supports_nested_filters?: boolean | undefined;
        readonly supports_sql?: boolean | undefined;
        readonly tiles?: boolean | undefined;
        readonly color?: string | null | undefined;
        readonly url?: string | null | undefined;
        readonly license?: string | null | undefined;
        readonly public?: boolean | undefined;
      };
      /**
       * made with the record, all or nothing; roles: Organizations, Users, Thumbnails, Owner,
       * Accounts
       */
      readonly associations?: ReadonlyArray<{
        readonly role: string;
        readonly id: string;
        readonly properties?: Readonly<Record<string, unknown>> | undefined;
      }> | undefined;
    };
    readonly answer: Plugin & {
      /** shown this once */
      readonly secret?: string;
      /** flags that lead to no pushdown, and why */
      readonly warnings?: readonly string[];
    };
  };
  readonly get: {
    readonly members: {
      readonly find?: {
        /**
         * members: id, slug, name, description, base_url, pushdown, authorize, properties,
         * protocol_version, search, supports_distinctcount, supports_order_limit,
         * supports_join, supports_like, supports_nested_filters, supports_sql, tiles, color,
         * url, license, public, reviewed, verification, checked_at, check_report,
         * previous_secret_until, user_id, organization_id, created_at, updated_at
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
    readonly answer: { readonly count: number; readonly rows: readonly Plugin[] };
  };
  readonly update: {
    readonly members: {
      readonly id: string;
      readonly properties: {
        readonly slug?: string | undefined;
        readonly name?: Readonly<Record<string, string>> | undefined;
        readonly description?: Readonly<Record<string, string>> | null | undefined;
        readonly base_url?: string | undefined;
        readonly pushdown?: boolean | undefined;
        readonly authorize?: "none" | "token" | "host/key/token" | "oauth2" | "custom" | undefined;
        readonly properties?: ReadonlyArray<Readonly<Record<string, unknown>>> | null | undefined;
        readonly protocol_version?: "1.0.0" | "1.1.0" | "2.0.0" | "3.0.0" | "manifold-1" | null | undefined;
        readonly search?: boolean | undefined;
        readonly supports_distinctcount?: boolean | undefined;
        readonly supports_order_limit?: boolean | undefined;
        readonly supports_join?: boolean | undefined;
        readonly supports_like?: boolean | undefined;
        readonly supports_nested_filters?: boolean | undefined;
        readonly supports_sql?: boolean | undefined;
        readonly tiles?: boolean | undefined;
        readonly color?: string | null | undefined;
        readonly url?: string | null | undefined;
        readonly license?: string | null | undefined;
        readonly public?: boolean | undefined;
        readonly new_secret?: string | undefined;
        readonly keep_secret_hours?: number | undefined;
      };
    };
    readonly answer: Plugin & {
      /** flags that lead to no pushdown, and why */
      readonly warnings?: readonly string[];
    };
  };
  readonly delete: {
    readonly members: { readonly id: string; readonly properties?: Readonly<Record<string, unknown>> | undefined };
    readonly answer: { readonly code: 200 };
  };
  readonly associate: {
    readonly members: {
      readonly id: string;
      /** roles: Organizations, Users, Thumbnails, Owner, Accounts */
      readonly resource: { readonly role: string; readonly id: string };
      readonly properties?: Readonly<Record<string, unknown>> | undefined;
    };
    readonly answer: Plugin & { readonly code: 200 };
  };
  readonly dissociate: {
    readonly members: {
      readonly id: string;
      /** roles: Organizations, Users, Thumbnails, Owner, Accounts */
      readonly resource: { readonly role: string; readonly id: string };
    };
    readonly answer: Plugin & { readonly code: 200 };
  };
  readonly validate: {
    readonly members: {
      /** an update of this record; absent: a create */
      readonly id?: string | undefined;
      readonly properties: Readonly<Record<string, unknown>>;
    };
    readonly answer: {
      readonly valid: boolean;
      readonly type?: string;
      readonly message?: string;
      /** flags that lead to no pushdown, and why */
      readonly warnings?: readonly string[];
    };
  };
  readonly explain: {
    readonly members: { readonly id: string };
    readonly answer: {
      readonly id: string;
      readonly since: string;
      /** since the host began; of all organizations for the owner of the plugin */
      readonly calls: number;
      readonly failures: number;
      readonly last_at: string | null;
      readonly milliseconds: { readonly p50: number | null; readonly p95: number | null };
    };
  };
  readonly test: {
    readonly members: {
      readonly id: string;
      readonly options?: {
        /** the account whose credentials the check uses */
        readonly account_id?: string | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly id: string;
      /** waiting, or running when one was asked for before */
      readonly state: string;
      readonly verification: "unchecked" | "verified" | "failed";
      readonly checked_at: string | null;
    };
  };
}
