import { writeExample } from "../../questions/index.ts";

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

/** A value in the format of the column, as charts write it; the format itself is edited in the column's dialog. */
export function exampleOf({ type, subtype, format }: ColumnRow): string {
  if (type !== "numeric" && type !== "datetime") return "–";
  return writeExample({ type, subtype, value: format ?? "" });
}
