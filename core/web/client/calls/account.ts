// Written by `npm run calls` from the declarations.
/** A record of account, as it is answered. */
export interface Account {
  readonly id: string;
  readonly name?: string | Readonly<Record<string, string>> | null;
  readonly description?: Readonly<Record<string, string>> | null;
  readonly provider?: string;
  readonly properties?: Readonly<Record<string, unknown>> | null;
  readonly date?: string | null;
  readonly expiry?: string | null;
  readonly scope?: string | null;
  readonly host?: string | null;
  readonly port?: string | number | null;
  readonly identifier?: string | null;
  readonly active?: boolean;
  readonly invalid?: boolean;
  readonly cache?: number;
  readonly datasets_meta_sync_enabled?: boolean;
  readonly datasets_meta_sync_interval?: number;
  readonly synced?: boolean;
  readonly version?: string | null;
  readonly access_warnings?: readonly string[] | null;
  readonly encryption?: "verified" | "encrypted" | "clear" | null;
  readonly shareable_id?: string;
  readonly plugin_id?: string | null;
  readonly user_id?: string;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly [included: string]: unknown;
}

/** The calls of account. */
export interface AccountCalls {
  readonly create: {
    readonly members: {
      readonly properties: {
        readonly name?: string | Readonly<Record<string, string>> | null | undefined;
        readonly description?: Readonly<Record<string, string>> | null | undefined;
        readonly provider: string;
        readonly properties?: Readonly<Record<string, unknown>> | null | undefined;
        readonly date?: string | null | undefined;
        readonly expiry?: string | null | undefined;
        readonly scope?: string | null | undefined;
        readonly host?: string | null | undefined;
        readonly port?: string | number | null | undefined;
        readonly identifier?: string | null | undefined;
        readonly token?: string | null | undefined;
        readonly code?: string | null | undefined;
        readonly active?: boolean | undefined;
        readonly invalid?: boolean | undefined;
        readonly cache?: number | undefined;
        readonly datasets_meta_sync_enabled?: boolean | undefined;
        readonly datasets_meta_sync_interval?: number | undefined;
      };
      /** made with the record, all or nothing; roles: Users, Groups, Owner, Plugin, Securables */
      readonly associations?: ReadonlyArray<{
        readonly role: string;
        readonly id: string;
        readonly properties?: Readonly<Record<string, unknown>> | undefined;
      }> | undefined;
    };
    readonly answer: Account & {
      /** where a person agrees first (OAuth2) */
      readonly auth_url?: string;
      /**
       * rights of the credentials beyond reading, and capabilities that are not used, with the
       * reason
       */
      readonly warnings?: readonly string[];
    };
  };
  readonly get: {
    readonly members: {
      readonly find?: {
        /**
         * members: id, name, description, provider, properties, date, expiry, scope, host,
         * port, identifier, active, invalid, cache, datasets_meta_sync_enabled,
         * datasets_meta_sync_interval, synced, version, access_warnings, encryption,
         * shareable_id, plugin_id, user_id, created_at, updated_at
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
    readonly answer: { readonly count: number; readonly rows: readonly Account[] };
  };
  readonly update: {
    readonly members: {
      readonly id: string;
      readonly properties: {
        readonly name?: string | Readonly<Record<string, string>> | null | undefined;
        readonly description?: Readonly<Record<string, string>> | null | undefined;
        readonly provider?: string | undefined;
        readonly properties?: Readonly<Record<string, unknown>> | null | undefined;
        readonly date?: string | null | undefined;
        readonly expiry?: string | null | undefined;
        readonly scope?: string | null | undefined;
        readonly host?: string | null | undefined;
        readonly port?: string | number | null | undefined;
        readonly identifier?: string | null | undefined;
        readonly token?: string | null | undefined;
        readonly code?: string | null | undefined;
        readonly active?: boolean | undefined;
        readonly invalid?: boolean | undefined;
        readonly cache?: number | undefined;
        readonly datasets_meta_sync_enabled?: boolean | undefined;
        readonly datasets_meta_sync_interval?: number | undefined;
        readonly update_metadata?: boolean | null | undefined;
      };
    };
    readonly answer: Account & {
      /** where a person agrees first (OAuth2) */
      readonly auth_url?: string;
      /**
       * rights of the credentials beyond reading, and capabilities that are not used, with the
       * reason
       */
      readonly warnings?: readonly string[];
      /** with update_metadata: columns that came, went and changed type, and what uses them */
      readonly metadata_sync?: { readonly synced: boolean };
    };
  };
  readonly delete: {
    readonly members: { readonly id: string; readonly properties?: Readonly<Record<string, unknown>> | undefined };
    readonly answer: { readonly code: 200 };
  };
  readonly associate: {
    readonly members: {
      readonly id: string;
      /** roles: Users, Groups, Owner, Plugin, Securables */
      readonly resource: { readonly role: string; readonly id: string };
      readonly properties?: Readonly<Record<string, unknown>> | undefined;
    };
    readonly answer: Account & { readonly code: 200 };
  };
  readonly dissociate: {
    readonly members: {
      readonly id: string;
      /** roles: Users, Groups, Owner, Plugin, Securables */
      readonly resource: { readonly role: string; readonly id: string };
    };
    readonly answer: Account & { readonly code: 200 };
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
      /** where a person agrees first (OAuth2) */
      readonly auth_url?: string;
      /**
       * rights of the credentials beyond reading, and capabilities that are not used, with the
       * reason
       */
      readonly warnings?: readonly string[];
    };
  };
}
