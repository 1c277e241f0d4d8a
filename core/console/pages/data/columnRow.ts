/** A column of a dataset. */
export interface ColumnRow {
  readonly id: string;
  readonly name: unknown;
  readonly type: string;
  readonly subtype: string | null;
  readonly format: string | null;
  readonly description: unknown;
  readonly hidden: boolean;
  readonly expression: string | null;
  readonly securable_id: string;
  readonly order: number;
}
