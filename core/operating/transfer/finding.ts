import { titleOf, type TransferRecord } from "./record.ts";

/** One difference between an organization elsewhere and the model that was pulled from it. */
export interface Finding {
  /** What differs, such as `dashboard "Sales"`. */
  readonly subject: string;
  /** A sentence without its subject and period, such as "is left out, because …". */
  readonly problem: string;
}

/** Returns the words that name a record to people. */
export function subjectOf(record: Pick<TransferRecord, "kind" | "id" | "properties">): string {
  const title = titleOf(record);
  return `${record.kind} ${title === "" ? record.id : JSON.stringify(title)}`;
}
