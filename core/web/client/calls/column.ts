// Written by `npm run calls` from the declarations.
/** A record of column, as it is answered. */
export interface Column {
  readonly id: string;
  readonly name?: Readonly<Record<string, string>> | null;
  readonly description?: Readonly<Record<string, string>> | null;
  readonly order?: number;
  readonly source_name?: string | null;
  readonly type?: "numeric" | "datetime" | "hierarchy" | "spatial" | "array[numeric]" | "array[datetime]" | "array[hierarchy]" | "array[spatial]";
  readonly subtype?: "currency" | "duration" | "date" | "datetime" | "topography" | "coordinates" | "ip_address" | "hierarchy_element_expression" | "interval" | null;
  readonly format?: string | null;
  readonly informat?: string | null;
  readonly isLabel?: boolean;
  readonly hidden?: boolean;
  readonly lowestLevel?: number | null;
  readonly highestLevel?: number | null;
  readonly expression?: string | null;
  readonly width?: number | null;
  readonly colors_enabled?: boolean;
  readonly hierarchy_enabled?: boolean;
  readonly ordering_enabled?: boolean;
  readonly currency_id?: string | null;
  readonly duration_levels?: readonly number[] | null;
  readonly duration_format?: "long" | "short" | "time" | null;
  readonly custom_metadata?: Readonly<Record<string, unknown>> | null;
  readonly ai_context?: string | null;
  readonly previous_datetime_informat?: string | null;
  readonly color?: string | null;
  readonly prefix?: string | null;
  readonly suffix?: string | null;
  readonly minBound?: number | null;
  readonly maxBound?: number | null;
  readonly cardinality?: number | null;
  readonly minimum?: number | null;
  readonly maximum?: number | null;
  readonly derivation?: string | null;
  readonly version?: number;
  readonly aggregation_type?: string | null;
  readonly custom_aggregations?: readonly unknown[] | null;
  readonly aggregation_id?: string | null;
  readonly timezone_id?: string | null;
  readonly missing_since?: string | null;
  readonly securable_id?: string | null;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly [included: string]: unknown;
}

/** The calls of column. */
export interface ColumnCalls {
  readonly create: {
    readonly members: {
      readonly properties: {
        readonly name?: Readonly<Record<string, string>> | null | undefined;
        readonly description?: Readonly<Record<string, string>> | null | undefined;
        readonly order: number;
        readonly source_name?: string | null | undefined;
        readonly type?: "numeric" | "datetime" | "hierarchy" | "spatial" | "array[numeric]" | "array[datetime]" | "array[hierarchy]" | "array[spatial]" | undefined;
        readonly subtype?: "currency" | "duration" | "date" | "datetime" | "topography" | "coordinates" | "ip_address" | "hierarchy_element_expression" | "interval" | null | undefined;
        readonly format?: string | null | undefined;
        readonly informat?: string | null | undefined;
        readonly isLabel?: boolean | undefined;
        readonly hidden?: boolean | undefined;
        readonly lowestLevel?: number | null | undefined;
        readonly expression?: string | null | undefined;
        readonly width?: number | null | undefined;
        readonly colors_enabled?: boolean | undefined;
        readonly hierarchy_enabled?: boolean | undefined;
        readonly currency_id?: string | null | undefined;
        readonly duration_levels?: readonly number[] | null | undefined;
        readonly duration_format?: "long" | "short" | "time" | null | undefined;
        readonly custom_metadata?: Readonly<Record<string, unknown>> | null | undefined;
        readonly ai_context?: string | null | undefined;
      };
      /**
       * made with the record, all or nothing; roles: Securable, Joins, HierarchyLevels,
       * Currency
       */
      readonly associations?: ReadonlyArray<{
        readonly role: string;
        readonly id: string;
        readonly properties?: Readonly<Record<string, unknown>> | undefined;
      }> | undefined;
    };
    readonly answer: Column;
  };
  readonly get: {
    readonly members: {
      readonly find?: {
        /**
         * members: id, name, description, order, source_name, type, subtype, format, informat,
         * isLabel, hidden, lowestLevel, highestLevel, expression, width, colors_enabled,
         * hierarchy_enabled, ordering_enabled, currency_id, duration_levels, duration_format,
         * custom_metadata, ai_context, previous_datetime_informat, color, prefix, suffix,
         * minBound, maxBound, cardinality, minimum, maximum, derivation, version,
         * aggregation_type, custom_aggregations, aggregation_id, timezone_id, missing_since,
         * securable_id, created_at, updated_at
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
    readonly answer: { readonly count: number; readonly rows: readonly Column[] };
  };
  readonly update: {
    readonly members: {
      readonly id: string;
      readonly properties: {
        readonly name?: Readonly<Record<string, string>> | null | undefined;
        readonly description?: Readonly<Record<string, string>> | null | undefined;
        readonly order?: number | undefined;
        readonly type?: "numeric" | "datetime" | "hierarchy" | "spatial" | "array[numeric]" | "array[datetime]" | "array[hierarchy]" | "array[spatial]" | undefined;
        readonly subtype?: "currency" | "duration" | "date" | "datetime" | "topography" | "coordinates" | "ip_address" | "hierarchy_element_expression" | "interval" | null | undefined;
        readonly format?: string | null | undefined;
        readonly informat?: string | null | undefined;
        readonly isLabel?: boolean | undefined;
        readonly hidden?: boolean | undefined;
        readonly lowestLevel?: number | null | undefined;
        readonly expression?: string | null | undefined;
        readonly width?: number | null | undefined;
        readonly colors_enabled?: boolean | undefined;
        readonly hierarchy_enabled?: boolean | undefined;
        readonly currency_id?: string | null | undefined;
        readonly duration_levels?: readonly number[] | null | undefined;
        readonly duration_format?: "long" | "short" | "time" | null | undefined;
        readonly custom_metadata?: Readonly<Record<string, unknown>> | null | undefined;
        readonly ai_context?: string | null | undefined;
      };
    };
    readonly answer: Column;
  };
  readonly delete: {
    readonly members: { readonly id: string };
    readonly answer: { readonly code: 200 };
  };
  readonly associate: {
    readonly members: {
      readonly id: string;
      /** roles: Securable, Joins, HierarchyLevels, Currency */
      readonly resource: { readonly role: string; readonly id: string };
      readonly properties?: Readonly<Record<string, unknown>> | undefined;
    };
    readonly answer: Column & { readonly code: 200 };
  };
  readonly dissociate: {
    readonly members: {
      readonly id: string;
      /** roles: Securable, Joins, HierarchyLevels, Currency */
      readonly resource: { readonly role: string; readonly id: string };
    };
    readonly answer: Column & { readonly code: 200 };
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
