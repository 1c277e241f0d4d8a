// Written by `npm run calls` from the declarations.
/** A record of authorization, as it is answered. */
export interface Authorization {
  readonly id: string;
  readonly type?: "api" | "embed" | "sso" | "temporary";
  readonly description?: string | null;
  readonly expiry?: string;
  readonly inactivity_interval?: number | string | null;
  readonly user_id?: string;
  readonly username?: string | null;
  readonly name?: string | null;
  readonly email?: string | null;
  readonly suborganization?: string | null;
  readonly role?: "viewer" | "designer" | "owner" | null;
  readonly access?: Readonly<Record<string, unknown>> | null;
  readonly securables?: readonly string[] | null;
  readonly filters?: readonly unknown[] | null;
  readonly parameter_overrides?: Readonly<Record<string, unknown>> | null;
  readonly account_overrides?: Readonly<Record<string, unknown>> | null;
  readonly hidden_columns?: readonly unknown[] | null;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
  readonly feature_overrides?: readonly string[] | null;
  readonly iq?: Readonly<Record<string, unknown>> | null;
  readonly theme?: Readonly<Record<string, unknown>> | null;
  readonly theme_id?: string | null;
  readonly css?: string | null;
  readonly screenmode?: string | null;
  readonly width?: number | null;
  readonly height?: number | null;
  readonly environment?: "production" | "acceptance" | "development" | "qa" | null;
  readonly locale_id?: string | null;
  readonly timezone_id?: string | null;
  readonly currency_id?: string | null;
  readonly integration_id?: string | null;
  readonly allowed_origins?: readonly string[] | null;
  readonly allowed_addresses?: readonly string[] | null;
  readonly ip?: string | null;
  readonly last_used_at?: string | null;
  readonly deleted_at?: string | null;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly [included: string]: unknown;
}

/** The calls of authorization. */
export interface AuthorizationCalls {
  readonly create: {
    readonly members: {
      readonly properties: {
        readonly type: "api" | "embed" | "sso" | "temporary";
        readonly description?: string | null | undefined;
        readonly expiry?: string | undefined;
        readonly inactivity_interval?: number | string | null | undefined;
        readonly username?: string | null | undefined;
        readonly name?: string | null | undefined;
        readonly email?: string | null | undefined;
        readonly suborganization?: string | null | undefined;
        readonly role?: "viewer" | "designer" | "owner" | null | undefined;
        readonly access?: Readonly<Record<string, unknown>> | null | undefined;
        readonly securables?: readonly string[] | null | undefined;
        readonly filters?: readonly unknown[] | null | undefined;
        readonly parameter_overrides?: Readonly<Record<string, unknown>> | null | undefined;
        readonly account_overrides?: Readonly<Record<string, unknown>> | null | undefined;
        readonly hidden_columns?: readonly unknown[] | null | undefined;
        readonly metadata?: Readonly<Record<string, unknown>> | null | undefined;
        readonly feature_overrides?: readonly string[] | null | undefined;
        readonly iq?: Readonly<Record<string, unknown>> | null | undefined;
        readonly theme?: Readonly<Record<string, unknown>> | null | undefined;
        readonly theme_id?: string | null | undefined;
        readonly css?: string | null | undefined;
        readonly screenmode?: string | null | undefined;
        readonly width?: number | null | undefined;
        readonly height?: number | null | undefined;
        readonly environment?: "production" | "acceptance" | "development" | "qa" | null | undefined;
        readonly locale_id?: string | null | undefined;
        readonly timezone_id?: string | null | undefined;
        readonly currency_id?: string | null | undefined;
        readonly integration_id?: string | null | undefined;
        readonly allowed_origins?: readonly string[] | null | undefined;
        readonly allowed_addresses?: readonly string[] | null | undefined;
      };
      /** made with the record, all or nothing; roles: User, Integration, Locale, Theme */
      readonly associations?: ReadonlyArray<{
        readonly role: string;
        readonly id: string;
        readonly properties?: Readonly<Record<string, unknown>> | undefined;
      }> | undefined;
    };
    readonly answer: Authorization & {
      /** shown this once */
      readonly token?: string;
      /** flags of feature_overrides that have no effect, and why */
      readonly warnings?: readonly string[];
    };
  };
  readonly get: {
    readonly members: {
      readonly find?: {
        /**
         * members: id, type, description, expiry, inactivity_interval, user_id, username, name,
         * email, suborganization, role, access, securables, filters, parameter_overrides,
         * account_overrides, hidden_columns, metadata, feature_overrides, iq, theme, theme_id,
         * css, screenmode, width, height, environment, locale_id, timezone_id, currency_id,
         * integration_id, allowed_origins, allowed_addresses, ip, last_used_at, deleted_at,
         * created_at, updated_at
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
    readonly answer: { readonly count: number; readonly rows: readonly Authorization[] };
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
    readonly answer: {
      readonly valid: boolean;
      readonly type?: string;
      readonly message?: string;
      /** flags of feature_overrides that have no effect, and why */
      readonly warnings?: readonly string[];
    };
  };
  readonly explain: {
    readonly members: {
      readonly id: string;
      readonly options?: {
        /** true also answers a key pair */
        readonly token?: boolean | undefined;
        readonly limit?: number | undefined;
        readonly offset?: number | undefined;
      } | undefined;
    };
    readonly answer: {
      readonly id: string;
      readonly type: "embed" | "sso" | "temporary";
      readonly username: string | null;
      readonly role: string | null;
      readonly expiry: string;
      readonly environment: string | null;
      readonly access: Readonly<Record<string, unknown>> | null;
      readonly securables: readonly unknown[] | null;
      readonly integration_id: string | null;
      readonly filters: readonly unknown[] | null;
      readonly hidden_columns: readonly unknown[] | null;
      readonly features: ReadonlyArray<{
        readonly flag: string;
        readonly state: "on" | "off" | "no_effect";
        readonly set_by: "token" | "user" | "issuer" | null;
        /** what the token may do with it, or may not */
        readonly effect: string;
      }>;
      readonly allowed_origins: readonly unknown[] | null;
      readonly allowed_addresses: readonly unknown[] | null;
      /** datasets and dashboards that the token sees */
      readonly count: number;
      readonly datasets: ReadonlyArray<{
        readonly id: string;
        readonly type: "dataset" | "dashboard";
        readonly name: unknown;
        readonly rights: "read" | "use" | "modify" | "own";
        readonly columns: ReadonlyArray<{ readonly id: string; readonly name: unknown; readonly type: string | null }>;
        readonly hidden_columns: ReadonlyArray<{ readonly id: string; readonly name: unknown; readonly type: string | null }>;
        readonly rows: "all" | "filtered" | "closed";
        readonly filters: ReadonlyArray<{
          readonly origin: "token" | "filter_group" | "share";
          readonly clause: "where" | "having";
          readonly column_id: string;
          readonly expression: string;
          /** absent where it is withheld */
          readonly value?: unknown;
          readonly parameter?: string;
          readonly withheld?: "sensitive" | "share";
          /** false where the token clears the parameter */
          readonly applies: boolean;
        }>;
        readonly reason: string | null;
      }>;
      readonly dashboards: ReadonlyArray<{
        readonly id: string;
        readonly type: "dataset" | "dashboard";
        readonly name: unknown;
        readonly rights: "read" | "use" | "modify" | "own";
      }>;
      readonly missing: ReadonlyArray<{ readonly id: string; readonly reason: "issuer_does_not_see" | "not_shown" }>;
      /** a key pair of 15 minutes that sees the same */
      readonly token?: { readonly id: string; readonly token: string; readonly expiry: string };
    };
  };
}
