// Written by `npm run calls` from the declarations.
/** A record of securable, as it is answered. */
export interface Securable {
  readonly id: string;
  readonly type?: "dataset" | "dashboard";
  readonly subtype?: string | null;
  readonly name?: Readonly<Record<string, string>> | null;
  readonly description?: Readonly<Record<string, string>> | null;
  readonly subtitle?: Readonly<Record<string, string>> | null;
  readonly custom_metadata?: Readonly<Record<string, unknown>> | null;
  readonly ai_context?: string | null;
  readonly contents?: Readonly<Record<string, unknown>> | null;
  readonly css?: string | null;
  readonly source_dataset?: string | null;
  readonly source_sheet?: string | null;
  readonly source_query?: string | null;
  readonly source_parameters?: ReadonlyArray<Readonly<Record<string, unknown>>> | null;
  readonly transformation?: string | null;
  readonly rows?: number | null;
  readonly featured?: boolean;
  readonly derived?: boolean;
  readonly cache?: number;
  readonly storage?: string | null;
  readonly is_variant?: boolean;
  readonly migrated_rows?: number | null;
  readonly uses_strata_experimental?: boolean;
  readonly meta_sync_interval?: number;
  readonly meta_sync_inherit?: boolean;
  readonly meta_sync_enabled?: boolean;
  readonly last_metadata_sync_at?: string | null;
  readonly last_metadata_sync_attempt_at?: string | null;
  readonly shared_storage_version?: string | null;
  readonly shared_storage_metadata?: Readonly<Record<string, unknown>> | null;
  readonly storage_location_override?: string | null;
  readonly original_id?: string | null;
  readonly acceleration_id?: string | null;
  readonly template_id?: string | null;
  readonly source_template_id?: string | null;
  readonly account_id?: string | null;
  readonly modifier_id?: string | null;
  readonly owner_id?: string;
  readonly modified_at?: string;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly [included: string]: unknown;
}

/** The calls of securable. */
export interface SecurableCalls {
  readonly create: {
    readonly members: {
      readonly properties: {
        readonly type: "dataset" | "dashboard";
        readonly name?: Readonly<Record<string, string>> | null | undefined;
        readonly description?: Readonly<Record<string, string>> | null | undefined;
        readonly subtitle?: Readonly<Record<string, string>> | null | undefined;
        readonly custom_metadata?: Readonly<Record<string, unknown>> | null | undefined;
        readonly ai_context?: string | null | undefined;
        readonly contents?: Readonly<Record<string, unknown>> | null | undefined;
        readonly css?: string | null | undefined;
        readonly cache?: number | undefined;
        readonly meta_sync_interval?: number | undefined;
        readonly meta_sync_inherit?: boolean | undefined;
        readonly meta_sync_enabled?: boolean | undefined;
      };
      /**
       * made with the record, all or nothing; roles: EmbedFilterGroups, Columns, Users, Groups,
       * Integrations, Favorites, Variants, Original, Tags, Schedules, Collections, Shares,
       * Datasets, Dashboards, Formulas, Thumbnails, Acceleration, DatasetCopies, Alerts,
       * SecurableVersions, Owner, Modifier, Account
       */
      readonly associations?: ReadonlyArray<{
        readonly role: string;
        readonly id: string;
        readonly properties?: Readonly<Record<string, unknown>> | undefined;
      }> | undefined;
    };
    readonly answer: Securable;
  };
  readonly get: {
    readonly members: {
      readonly find?: {
        /**
         * members: id, type, subtype, name, description, subtitle, custom_metadata, ai_context,
         * contents, css, source_dataset, source_sheet, source_query, source_parameters,
         * transformation, rows, featured, derived, cache, storage, is_variant, migrated_rows,
         * uses_strata_experimental, meta_sync_interval, meta_sync_inherit, meta_sync_enabled,
         * last_metadata_sync_at, last_metadata_sync_attempt_at, shared_storage_version,
         * shared_storage_metadata, storage_location_override, original_id, acceleration_id,
         * template_id, source_template_id, account_id, modifier_id, owner_id, modified_at,
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
    readonly answer: { readonly count: number; readonly rows: readonly Securable[] };
  };
  readonly update: {
    readonly members: {
      readonly id: string;
      readonly properties: {
        readonly name?: Readonly<Record<string, string>> | null | undefined;
        readonly description?: Readonly<Record<string, string>> | null | undefined;
        readonly subtitle?: Readonly<Record<string, string>> | null | undefined;
        readonly custom_metadata?: Readonly<Record<string, unknown>> | null | undefined;
        readonly ai_context?: string | null | undefined;
        readonly contents?: Readonly<Record<string, unknown>> | null | undefined;
        readonly css?: string | null | undefined;
        readonly cache?: number | undefined;
        readonly meta_sync_interval?: number | undefined;
        readonly meta_sync_inherit?: boolean | undefined;
        readonly meta_sync_enabled?: boolean | undefined;
        readonly update_metadata?: boolean | null | undefined;
      };
    };
    readonly answer: Securable & {
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
      /**
       * roles: EmbedFilterGroups, Columns, Users, Groups, Integrations, Favorites, Variants,
       * Original, Tags, Schedules, Collections, Shares, Datasets, Dashboards, Formulas,
       * Thumbnails, Acceleration, DatasetCopies, Alerts, SecurableVersions, Owner, Modifier,
       * Account
       */
      readonly resource: { readonly role: string; readonly id: string };
      readonly properties?: Readonly<Record<string, unknown>> | undefined;
    };
    readonly answer: Securable & { readonly code: 200 };
  };
  readonly dissociate: {
    readonly members: {
      readonly id: string;
      /**
       * roles: EmbedFilterGroups, Columns, Users, Groups, Integrations, Favorites, Variants,
       * Original, Tags, Schedules, Collections, Shares, Datasets, Dashboards, Formulas,
       * Thumbnails, Acceleration, DatasetCopies, Alerts, SecurableVersions, Owner, Modifier,
       * Account
       */
      readonly resource: { readonly role: string; readonly id: string };
    };
    readonly answer: Securable & { readonly code: 200 };
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
