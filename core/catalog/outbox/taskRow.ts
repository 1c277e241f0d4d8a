/** A row of the table `outbox`. */
export interface TaskRow {
  readonly id: string;
  readonly action: string;
  readonly securable_id: string;
  readonly column_id: string | null;
  /** Id of the dataset in whose queue this task has a place. */
  readonly turn_of: string | null;
  readonly attempt_count: number;
  readonly byte_count: string | null;
  readonly authorization_id: string | null;
  readonly request_id: string | null;
  readonly rows_before: string | null;
  readonly rows_added: string | null;
}
