// Written by `npm run calls` from the declarations.
/** A record of acceleration, as it is answered. */
export interface Acceleration {
  readonly id: string;
  readonly load_type?: "full" | "delta" | "full-delta";
  readonly data_storage_strategy?: "insert" | "insert-update" | "insert-update-delete" | null;
  readonly created_at_column_id?: string | null;
  readonly updated_at_column_id?: string | null;
  readonly deleted_at_column_id?: string | null;
  readonly primary_key_column_ids?: readonly string[] | null;
  readonly schedule?: Readonly<Record<string, unknown>> | null;
  readonly overlap_seconds?: number;
  readonly rows_per_second?: number | null;
  readonly user_id?: string;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly [included: string]: unknown;
}

/** The calls of acceleration. */
export interface AccelerationCalls {
  readonly create: {
    readonly members: {
      readonly properties: {
        readonly load_type?: "full" | "delta" | "full-delta" | undefined;
        readonly data_storage_strategy?: "insert" | "insert-update" | "insert-update-delete" | null | undefined;
        readonly created_at_column_id?: string | null | undefined;
        readonly updated_at_column_id?: string | null | undefined;
        readonly deleted_at_column_id?: string | null | undefined;
        readonly primary_key_column_ids?: readonly string[] | null | undefined;
        readonly schedule?: Readonly<Record<string, unknown>> | null | undefined;
        readonly overlap_seconds?: number | undefined;
        readonly rows_per_second?: number | null | undefined;
      };
      /** made with the record, all or nothing; roles: Securables, Owner */
      readonly associations?: ReadonlyArray<{
        readonly role: string;
        readonly id: string;
        readonly properties?: Readonly<Record<string, unknown>> | undefined;
      }> | undefined;
    };
    readonly answer: Acceleration;
  };
  readonly get: {
    readonly members: {
      readonly find?: {
        /**
         * members: id, load_type, data_storage_strategy, created_at_column_id,
         * updated_at_column_id, deleted_at_column_id, primary_key_column_ids, schedule,
         * overlap_seconds, rows_per_second, user_id, created_at, updated_at
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
    readonly answer: { readonly count: number; readonly rows: readonly Acceleration[] };
  };
  readonly update: {
    readonly members: {
      readonly id: string;
      readonly properties: {
        readonly load_type?: "full" | "delta" | "full-delta" | undefined;
        readonly data_storage_strategy?: "insert" | "insert-update" | "insert-update-delete" | null | undefined;
        readonly created_at_column_id?: string | null | undefined;
        readonly updated_at_column_id?: string | null | undefined;
        readonly deleted_at_column_id?: string | null | undefined;
        readonly primary_key_column_ids?: readonly string[] | null | undefined;
        readonly schedule?: Readonly<Record<string, unknown>> | null | undefined;
        readonly overlap_seconds?: number | undefined;
        readonly rows_per_second?: number | null | undefined;
      };
    };
    readonly answer: Acceleration;
  };
  readonly delete: {
    readonly members: { readonly id: string };
    readonly answer: { readonly code: 200 };
  };
  readonly associate: {
    readonly members: {
      readonly id: string;
      /** roles: Securables, Owner */
      readonly resource: { readonly role: string; readonly id: string };
      readonly properties?: Readonly<Record<string, unknown>> | undefined;
    };
    readonly answer: Acceleration & { readonly code: 200 };
  };
  readonly dissociate: {
    readonly members: {
      readonly id: string;
      /** roles: Securables, Owner */
      readonly resource: { readonly role: string; readonly id: string };
    };
    readonly answer: Acceleration & { readonly code: 200 };
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
