import { writeExample } from "../../questions/index.ts";

/** A column of a dataset, in the form in which a search returns it. */
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

/** Returns an example value in the format of the column, as charts format it. */
export function exampleOf({ type, subtype, format }: ColumnRow): string {
  if (type !== "numeric" && type !== "datetime") return "–";
  return writeExample({ type, subtype, value: format ?? "" });
}
