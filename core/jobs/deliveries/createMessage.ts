import type { Knex } from "knex";
import { isUuid, type Records, type ResourceRow } from "../../contracts/index.ts";
import { isObject } from "../../json/index.ts";
import { isLocale } from "../../queries/index.ts";
import type { Evaluation } from "../alerts/ledger.ts";
import type { Notice } from "../alerts/step.ts";
import { conditionOf, referenceText } from "./conditionOf.ts";
import { type CellForm, type Message, mostNotices, mostRows } from "./message.ts";
import { textIn } from "./textIn.ts";

export interface MessageOptions {
  readonly records: Records;
  /** The address of the host as people reach it. */
  readonly publicUrl: () => string;
}

/** The parts of an alert and of its evaluation that a message shows. */
export type ToldAlert = Pick<
  ResourceRow<"alert">,
  "id" | "name" | "query" | "schedule_id" | "timezone_id" | "user_id"
>;
export type ToldEvaluation = Pick<Evaluation, "slotMs" | "answer"> & {
  readonly step: Pick<Evaluation["step"], "notices">;
};

/**
 * Makes the message of an evaluation, with the rows that the alert's user saw. Without an answer it names no column,
 * because the user may have lost the right to read it. An alert that is not made yet, whose id is empty, has no link.
 */
export async function createMessage(
  alert: ToldAlert,
  { slotMs, answer, step }: ToldEvaluation,
  { records, publicUrl }: MessageOptions,
  transaction?: Knex.Transaction,
): Promise<Message> {
  const data = answer?.data ?? [];
  const isMade = alert.id !== "";
  const locale = await localeOf(alert.user_id, records, transaction);
  const query = isObject(alert.query) ? alert.query : {};
  const shown = answer ? await columnsOf(query, records, transaction) : undefined;
  const nameOf = (id: string) => textIn(shown?.get(id)?.name, locale) || id;
  const references = answer ? referencesIn(query) : [];
  const { timezone_id: queryZone } = isObject(query["options"]) ? query["options"] : {};
  return {
    kind: "alert",
    alertId: isMade ? alert.id : null,
    name: typeof alert.name === "string" ? { en: alert.name } : alert.name,
    notices: step.notices.slice(0, mostNotices),
    noticeCounts: countsOf(step.notices),
    condition: answer ? conditionOf(query, nameOf) : "",
    slotMs,
    zone: await zoneOf(alert, records, transaction),
    queryZone: typeof queryZone === "string" ? queryZone : "UTC",
    locale,
    heads: references.map((each) => referenceText({ ...each, aggregation: undefined }, nameOf)),
    forms: references.map((each) => formOf(each, shown?.get(idOf(each)))),
    rows: data.slice(0, mostRows),
    rowCount: data.length,
    ...(isMade && { link: `${publicUrl()}/alerts/${alert.id}` }),
  };
}

/** The locale of a user: a tag that the runtime knows; English without one. */
export async function localeOf(
  userId: string,
  records: Records,
  transaction?: Knex.Transaction,
): Promise<string> {
  const [user] = await records.find("user", { id: userId }, transaction);
  const given = [user?.locale_id, user?.locale].find((each) => each && isLocale(each));
  return given?.replaceAll("_", "-") ?? "en";
}

async function zoneOf(
  alert: ToldAlert,
  records: Records,
  transaction?: Knex.Transaction,
): Promise<string> {
  if (alert.schedule_id === null) return alert.timezone_id ?? "UTC";
  const [schedule] = await records.find("schedule", { id: alert.schedule_id }, transaction);
  return schedule?.timezone ?? alert.timezone_id ?? "UTC";
}

function countsOf(notices: readonly Notice[]): Message["noticeCounts"] {
  const counts: Partial<Record<Notice["kind"], number>> = {};
  for (const { kind } of notices) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** The references of an answer's columns, dimensions first. */
function referencesIn({ dimensions, measures }: Readonly<Record<string, unknown>>) {
  return [dimensions, measures]
    .flatMap((each): unknown[] => (Array.isArray(each) ? each : []))
    .map((each) => (isObject(each) ? each : {}));
}

type Shown = Pick<ResourceRow<"column">, "name"> & {
  readonly type?: string;
  readonly subtype?: string | null;
};

/** The columns and formulas that a query names anywhere, by id. */
async function columnsOf(
  query: unknown,
  records: Records,
  transaction?: Knex.Transaction,
): Promise<ReadonlyMap<string, Shown>> {
  const ids = [...idsIn(query)];
  const columns = await records.find("column", { id: ids }, transaction);
  const formulas = await records.find("formula", { id: ids }, transaction);
  const shown = [...columns, ...formulas].map((row): [string, Shown] => [row.id, row]);
  return new Map(shown);
}

function idsIn(part: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (Array.isArray(part)) for (const each of part) idsIn(each, found);
  else if (isObject(part))
    for (const [member, value] of Object.entries(part))
      if (member !== "column_id" && member !== "formula_id") idsIn(value, found);
      else if (typeof value === "string" && isUuid(value)) found.add(value.toLowerCase());
  return found;
}

const idOf = ({ column_id, formula_id }: Readonly<Record<string, unknown>>): string =>
  String(column_id ?? formula_id ?? "").toLowerCase();

/** Levels whose periods start at midnight. */
const mostDayLevel = 5;

function formOf(reference: Readonly<Record<string, unknown>>, column: Shown | undefined): CellForm {
  if (column?.type !== "datetime") return column?.type === "numeric" ? "number" : "text";
  if (column.subtype === "date") return "date";
  const level = Number(reference["level"] ?? 0);
  return level > 0 && level <= mostDayLevel ? "day" : "instant";
}
