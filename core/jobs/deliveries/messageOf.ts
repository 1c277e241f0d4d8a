import type { ResourceRow } from "../../contracts/index.ts";
import { isObject } from "../../json/index.ts";
import { type Message, mostRows } from "./message.ts";
import type { Evaluation } from "../alerts/ledger.ts";

interface MessageOptions {
  readonly zone: string;
  /** The address of the host as people reach it. */
  readonly publicUrl: string;
  /** Names of columns by id. */
  readonly columnNames: ReadonlyMap<string, string>;
}

/** Makes the message of an evaluation, with the rows that the alert's user saw. */
export function messageOf(
  alert: ResourceRow<"alert">,
  { slotMs, answer, step }: Evaluation,
  { zone, publicUrl, columnNames }: MessageOptions,
): Message {
  const data = answer?.data ?? [];
  return {
    alertId: alert.id,
    name: typeof alert.name === "string" ? { en: alert.name } : alert.name,
    notices: step.notices,
    slotMs,
    zone,
    heads: columnIdsOf(alert.query).map((id) => columnNames.get(id) ?? id),
    rows: data.slice(0, mostRows),
    rowCount: data.length,
    link: `${publicUrl}/alerts/${alert.id}`,
  };
}

/** The ids of the columns of a query, dimensions first, as its answer has them. */
export function columnIdsOf(query: unknown): string[] {
  const { dimensions, measures } = isObject(query) ? query : {};
  return [dimensions, measures]
    .flatMap((each) => (Array.isArray(each) ? each : []))
    .map((each: unknown) =>
      isObject(each) ? String(each["column_id"] ?? each["formula_id"] ?? "") : "",
    );
}
