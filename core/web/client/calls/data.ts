// Written by `npm run calls` from the declarations.
/** The calls of data. */
export interface DataCalls {
  readonly create: {
    readonly members: {
      /** names the push: sent again by this token within a day, it is carried out once */
      readonly request_id?: string | undefined;
      readonly properties: {
        readonly type?: "create" | "append" | "replace" | undefined;
        readonly securable_id?: string | undefined;
        readonly data: ReadonlyArray<readonly unknown[]>;
        readonly options?: {
          readonly header?: readonly string[] | undefined;
          readonly name?: Readonly<Record<string, string>> | undefined;
          readonly update_metadata?: boolean | undefined;
        } | undefined;
      };
    };
    readonly answer: {
      readonly count: number;
      readonly rows: ReadonlyArray<Readonly<Record<string, unknown>>>;
      readonly warnings?: readonly string[];
    };
  };
  readonly validate: {
    readonly members: {
      readonly properties: {
        readonly type?: "create" | "append" | "replace" | undefined;
        readonly securable_id?: string | undefined;
        readonly data: ReadonlyArray<readonly unknown[]>;
        readonly options?: {
          readonly header?: readonly string[] | undefined;
          readonly name?: Readonly<Record<string, string>> | undefined;
          readonly update_metadata?: boolean | undefined;
        } | undefined;
      };
    };
    readonly answer: {
      /** whether create would store these rows */
      readonly valid: boolean;
      readonly columns?: ReadonlyArray<Readonly<Record<string, unknown>>>;
      readonly warnings?: readonly string[];
      readonly message?: string;
    };
  };
  readonly get: {
    readonly members: {
      readonly find: {
        readonly queries: ReadonlyArray<{
          readonly dimensions?: ReadonlyArray<Readonly<Record<string, unknown>>> | undefined;
          readonly measures?: ReadonlyArray<Readonly<Record<string, unknown>>> | undefined;
          readonly where?: readonly unknown[] | undefined;
          readonly having?: readonly unknown[] | undefined;
          readonly order?: ReadonlyArray<Readonly<Record<string, unknown>>> | undefined;
          readonly limit?: { readonly by: number; readonly offset?: number | undefined } | undefined;
          readonly options?: {
            readonly rollup_data?: boolean | undefined;
            readonly timezone_id?: string | undefined;
            readonly paging?: { readonly by: number; readonly offset?: number | undefined } | undefined;
            /** texts instead of {id, name}; absent for these */
            readonly cells?: "plain" | undefined;
          } | undefined;
          /** adds explain to the answer */
          readonly explain?: boolean | undefined;
        }>;
        readonly explain?: boolean | undefined;
      } | {
        readonly dimensions?: ReadonlyArray<Readonly<Record<string, unknown>>> | undefined;
        readonly measures?: ReadonlyArray<Readonly<Record<string, unknown>>> | undefined;
        readonly where?: readonly unknown[] | undefined;
        readonly having?: readonly unknown[] | undefined;
        readonly order?: ReadonlyArray<Readonly<Record<string, unknown>>> | undefined;
        readonly limit?: { readonly by: number; readonly offset?: number | undefined } | undefined;
        readonly options?: {
          readonly rollup_data?: boolean | undefined;
          readonly timezone_id?: string | undefined;
          readonly paging?: { readonly by: number; readonly offset?: number | undefined } | undefined;
          /** texts instead of {id, name}; absent for these */
          readonly cells?: "plain" | undefined;
        } | undefined;
        /** adds explain to the answer */
        readonly explain?: boolean | undefined;
      };
    };
    readonly answer: {
      readonly cached: boolean;
      readonly performance: {
        readonly validating: number;
        readonly preparing: number;
        readonly queuing: number;
        readonly querying: number;
        readonly processing: number;
        readonly rows: number;
      };
      readonly explain?: {
        readonly datasets: ReadonlyArray<{
          readonly id: string;
          readonly plugin: string;
          readonly live: boolean;
          readonly cache: number | null;
        }>;
        readonly mode: string;
        readonly steps: ReadonlyArray<{
          readonly clause: string;
          readonly pushed: boolean;
          /** the plugin is not verified, and the host did it again */
          readonly checked?: boolean;
          readonly reason?: string;
        }>;
        readonly filters: ReadonlyArray<{
          /** question, token, filter_group or share */
          readonly origin: string;
          readonly dataset_id?: string;
          readonly column_id?: string;
          readonly expression?: string;
          /** the plugin is not verified, and the host tested it again */
          readonly checked?: boolean;
        }>;
        readonly cache: {
          /** off, miss, shared or hit */
          readonly state: string;
          /** milliseconds since the sources were asked */
          readonly age: number;
        };
        readonly parts: ReadonlyArray<{
          readonly dataset_id: string | null;
          readonly plugin: string;
          readonly clauses: readonly string[];
          readonly rows: number | null;
          readonly milliseconds: number;
          readonly failure?: string;
        }>;
        readonly probes: ReadonlyArray<{
          readonly dataset_id: string | null;
          readonly plugin: string;
          readonly clauses: readonly string[];
          readonly rows: number | null;
          readonly milliseconds: number;
          readonly failure?: string;
        }>;
      };
      readonly data: ReadonlyArray<readonly unknown[]>;
    } | ReadonlyArray<{
      readonly cached: boolean;
      readonly performance: {
        readonly validating: number;
        readonly preparing: number;
        readonly queuing: number;
        readonly querying: number;
        readonly processing: number;
        readonly rows: number;
      };
      readonly explain?: {
        readonly datasets: ReadonlyArray<{
          readonly id: string;
          readonly plugin: string;
          readonly live: boolean;
          readonly cache: number | null;
        }>;
        readonly mode: string;
        readonly steps: ReadonlyArray<{
          readonly clause: string;
          readonly pushed: boolean;
          /** the plugin is not verified, and the host did it again */
          readonly checked?: boolean;
          readonly reason?: string;
        }>;
        readonly filters: ReadonlyArray<{
          /** question, token, filter_group or share */
          readonly origin: string;
          readonly dataset_id?: string;
          readonly column_id?: string;
          readonly expression?: string;
          /** the plugin is not verified, and the host tested it again */
          readonly checked?: boolean;
        }>;
        readonly cache: {
          /** off, miss, shared or hit */
          readonly state: string;
          /** milliseconds since the sources were asked */
          readonly age: number;
        };
        readonly parts: ReadonlyArray<{
          readonly dataset_id: string | null;
          readonly plugin: string;
          readonly clauses: readonly string[];
          readonly rows: number | null;
          readonly milliseconds: number;
          readonly failure?: string;
        }>;
        readonly probes: ReadonlyArray<{
          readonly dataset_id: string | null;
          readonly plugin: string;
          readonly clauses: readonly string[];
          readonly rows: number | null;
          readonly milliseconds: number;
          readonly failure?: string;
        }>;
      };
      readonly data: ReadonlyArray<readonly unknown[]>;
    }>;
  };
  readonly explain: {
    readonly members: {
      readonly find: {
        readonly queries: ReadonlyArray<{
          readonly dimensions?: ReadonlyArray<Readonly<Record<string, unknown>>> | undefined;
          readonly measures?: ReadonlyArray<Readonly<Record<string, unknown>>> | undefined;
          readonly where?: readonly unknown[] | undefined;
          readonly having?: readonly unknown[] | undefined;
          readonly order?: ReadonlyArray<Readonly<Record<string, unknown>>> | undefined;
          readonly limit?: { readonly by: number; readonly offset?: number | undefined } | undefined;
          readonly options?: {
            readonly rollup_data?: boolean | undefined;
            readonly timezone_id?: string | undefined;
            readonly paging?: { readonly by: number; readonly offset?: number | undefined } | undefined;
            /** texts instead of {id, name}; absent for these */
            readonly cells?: "plain" | undefined;
          } | undefined;
          /** adds explain to the answer */
          readonly explain?: boolean | undefined;
        }>;
        readonly explain?: boolean | undefined;
      } | {
        readonly dimensions?: ReadonlyArray<Readonly<Record<string, unknown>>> | undefined;
        readonly measures?: ReadonlyArray<Readonly<Record<string, unknown>>> | undefined;
        readonly where?: readonly unknown[] | undefined;
        readonly having?: readonly unknown[] | undefined;
        readonly order?: ReadonlyArray<Readonly<Record<string, unknown>>> | undefined;
        readonly limit?: { readonly by: number; readonly offset?: number | undefined } | undefined;
        readonly options?: {
          readonly rollup_data?: boolean | undefined;
          readonly timezone_id?: string | undefined;
          readonly paging?: { readonly by: number; readonly offset?: number | undefined } | undefined;
          /** texts instead of {id, name}; absent for these */
          readonly cells?: "plain" | undefined;
        } | undefined;
        /** adds explain to the answer */
        readonly explain?: boolean | undefined;
      };
    };
    readonly answer: {
      readonly cached: boolean;
      readonly performance: {
        readonly validating: number;
        readonly preparing: number;
        readonly queuing: number;
        readonly querying: number;
        readonly processing: number;
        readonly rows: number;
      };
      readonly explain?: {
        readonly datasets: ReadonlyArray<{
          readonly id: string;
          readonly plugin: string;
          readonly live: boolean;
          readonly cache: number | null;
        }>;
        readonly mode: string;
        readonly steps: ReadonlyArray<{
          readonly clause: string;
          readonly pushed: boolean;
          /** the plugin is not verified, and the host did it again */
          readonly checked?: boolean;
          readonly reason?: string;
        }>;
        readonly filters: ReadonlyArray<{
          /** question, token, filter_group or share */
          readonly origin: string;
          readonly dataset_id?: string;
          readonly column_id?: string;
          readonly expression?: string;
          /** the plugin is not verified, and the host tested it again */
          readonly checked?: boolean;
        }>;
        readonly cache: {
          /** off, miss, shared or hit */
          readonly state: string;
          /** milliseconds since the sources were asked */
          readonly age: number;
        };
        readonly parts: ReadonlyArray<{
          readonly dataset_id: string | null;
          readonly plugin: string;
          readonly clauses: readonly string[];
          readonly rows: number | null;
          readonly milliseconds: number;
          readonly failure?: string;
        }>;
        readonly probes: ReadonlyArray<{
          readonly dataset_id: string | null;
          readonly plugin: string;
          readonly clauses: readonly string[];
          readonly rows: number | null;
          readonly milliseconds: number;
          readonly failure?: string;
        }>;
      };
    } | ReadonlyArray<{
      readonly cached: boolean;
      readonly performance: {
        readonly validating: number;
        readonly preparing: number;
        readonly queuing: number;
        readonly querying: number;
        readonly processing: number;
        readonly rows: number;
      };
      readonly explain?: {
        readonly datasets: ReadonlyArray<{
          readonly id: string;
          readonly plugin: string;
          readonly live: boolean;
          readonly cache: number | null;
        }>;
        readonly mode: string;
        readonly steps: ReadonlyArray<{
          readonly clause: string;
          readonly pushed: boolean;
          /** the plugin is not verified, and the host did it again */
          readonly checked?: boolean;
          readonly reason?: string;
        }>;
        readonly filters: ReadonlyArray<{
          /** question, token, filter_group or share */
          readonly origin: string;
          readonly dataset_id?: string;
          readonly column_id?: string;
          readonly expression?: string;
          /** the plugin is not verified, and the host tested it again */
          readonly checked?: boolean;
        }>;
        readonly cache: {
          /** off, miss, shared or hit */
          readonly state: string;
          /** milliseconds since the sources were asked */
          readonly age: number;
        };
        readonly parts: ReadonlyArray<{
          readonly dataset_id: string | null;
          readonly plugin: string;
          readonly clauses: readonly string[];
          readonly rows: number | null;
          readonly milliseconds: number;
          readonly failure?: string;
        }>;
        readonly probes: ReadonlyArray<{
          readonly dataset_id: string | null;
          readonly plugin: string;
          readonly clauses: readonly string[];
          readonly rows: number | null;
          readonly milliseconds: number;
          readonly failure?: string;
        }>;
      };
    }>;
  };
}
