// Written by `npm run calls` from the declarations.
/** A record of user, as it is answered. */
export interface User {
  readonly id: string;
  readonly email?: string;
  readonly name?: string | null;
  readonly city?: string | null;
  readonly phone?: string | null;
  readonly company?: string | null;
  readonly role?: string | null;
  readonly suborganization?: string | null;
  readonly theme?: Readonly<Record<string, unknown>> | null;
  readonly locale?: string | null;
  readonly locale_id?: string | null;
  readonly timezone_id?: string | null;
  readonly country_id?: string | null;
  readonly feature_overrides?: readonly string[] | null;
  readonly custom_metadata?: Readonly<Record<string, unknown>> | null;
  readonly account_overrides?: Readonly<Record<string, unknown>> | null;
  readonly parameter_overrides?: Readonly<Record<string, unknown>> | null;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly [included: string]: unknown;
}

/** The calls of user. */
export interface UserCalls {
  readonly create: {
    readonly members: {
      readonly properties: {
        readonly email: string;
        readonly name?: string | null | undefined;
        readonly city?: string | null | undefined;
        readonly phone?: string | null | undefined;
        readonly company?: string | null | undefined;
        readonly role?: string | null | undefined;
        readonly suborganization?: string | null | undefined;
        readonly theme?: Readonly<Record<string, unknown>> | null | undefined;
        readonly locale?: string | null | undefined;
        readonly locale_id?: string | null | undefined;
        readonly timezone_id?: string | null | undefined;
        readonly country_id?: string | null | undefined;
        readonly feature_overrides?: readonly string[] | null | undefined;
        readonly custom_metadata?: Readonly<Record<string, unknown>> | null | undefined;
        readonly account_overrides?: Readonly<Record<string, unknown>> | null | undefined;
        readonly parameter_overrides?: Readonly<Record<string, unknown>> | null | undefined;
        readonly metadata?: Readonly<Record<string, unknown>> | null | undefined;
        readonly password?: string | null | undefined;
      };
      /**
       * made with the record, all or nothing; roles: Organizations, Securables, Accounts,
       * Shareables, Plugins, Groups, Collections, Formulas, Integrations, Channels, Thumbnails,
       * Country, Locale, Timezone
       */
      readonly associations?: ReadonlyArray<{
        readonly role: string;
        readonly id: string;
        readonly properties?: Readonly<Record<string, unknown>> | undefined;
      }> | undefined;
    };
    readonly answer: User & {
      /** shown this once */
      readonly key?: string;
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
         * members: id, email, name, city, phone, company, role, suborganization, theme, locale,
         * locale_id, timezone_id, country_id, feature_overrides, custom_metadata,
         * account_overrides, parameter_overrides, metadata, created_at, updated_at
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
    readonly answer: { readonly count: number; readonly rows: readonly User[] };
  };
  readonly update: {
    readonly members: {
      readonly id: string;
      readonly properties: {
        readonly email?: string | undefined;
        readonly name?: string | null | undefined;
        readonly city?: string | null | undefined;
        readonly phone?: string | null | undefined;
        readonly company?: string | null | undefined;
        readonly role?: string | null | undefined;
        readonly suborganization?: string | null | undefined;
        readonly theme?: Readonly<Record<string, unknown>> | null | undefined;
        readonly locale?: string | null | undefined;
        readonly locale_id?: string | null | undefined;
        readonly timezone_id?: string | null | undefined;
        readonly country_id?: string | null | undefined;
        readonly feature_overrides?: readonly string[] | null | undefined;
        readonly custom_metadata?: Readonly<Record<string, unknown>> | null | undefined;
        readonly account_overrides?: Readonly<Record<string, unknown>> | null | undefined;
        readonly parameter_overrides?: Readonly<Record<string, unknown>> | null | undefined;
        readonly metadata?: Readonly<Record<string, unknown>> | null | undefined;
        readonly password?: string | null | undefined;
        readonly old_password?: string | null | undefined;
        readonly end_sessions?: boolean | undefined;
        readonly end_api_tokens?: boolean | undefined;
        readonly end_second_factors?: boolean | undefined;
      };
    };
    readonly answer: User & {
      /** flags of feature_overrides that have no effect, and why */
      readonly warnings?: readonly string[];
    };
  };
  readonly delete: {
    readonly members: {
      readonly id: string;
      readonly properties?: { readonly successor_id?: string | null | undefined } | undefined;
    };
    readonly answer: { readonly code: 200 };
  };
  readonly associate: {
    readonly members: {
      readonly id: string;
      /**
       * roles: Organizations, Securables, Accounts, Shareables, Plugins, Groups, Collections,
       * Formulas, Integrations, Channels, Thumbnails, Country, Locale, Timezone
       */
      readonly resource: { readonly role: string; readonly id: string };
      readonly properties?: Readonly<Record<string, unknown>> | undefined;
    };
    readonly answer: User & { readonly code: 200 };
  };
  readonly dissociate: {
    readonly members: {
      readonly id: string;
      /**
       * roles: Organizations, Securables, Accounts, Shareables, Plugins, Groups, Collections,
       * Formulas, Integrations, Channels, Thumbnails, Country, Locale, Timezone
       */
      readonly resource: { readonly role: string; readonly id: string };
    };
    readonly answer: User & { readonly code: 200 };
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
    readonly members: { readonly ids: readonly string[] };
    readonly answer: {
      readonly rows: ReadonlyArray<{
        readonly id: string;
        readonly has_password: boolean;
        /** signs on by a provider, or is kept by one */
        readonly has_provider: boolean;
        /** ended by the provider that keeps it */
        readonly is_ended: boolean;
        /** made by a token of a page */
        readonly is_end_user: boolean;
        readonly last_sign_in_at: string | null;
        readonly session_count: number;
        readonly api_token_count: number;
        /** tokens of pages that act for it */
        readonly page_token_count: number;
        /** tokens of pages that it issued */
        readonly issued_token_count: number;
        readonly owned: ReadonlyArray<{
          readonly resource: string;
          readonly count: number;
          /** ends with the user; the rest needs a successor */
          readonly goes_with_user: boolean;
        }>;
      }>;
    };
  };
}
