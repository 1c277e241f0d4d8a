import type { Knex } from "knex";
import {
  isObject,
  isUuid,
  type Records,
  type ResourceRow,
  type Members,
} from "../../base/index.ts";
import { isLocale } from "../../queries/index.ts";
import type { Evaluation } from "../alerts/ledger.ts";
import type { Notice } from "../alerts/step.ts";
import { conditionOf, referenceText } from "./conditionOf.ts";
import {
  type CellForm,
  type ColumnReference,
  type Message,
  mostNotices,
  mostRows,
} from "./message.ts";
import { namesOf } from "./namesOf.ts";
import { localizedText } from "../../web/charts/index.ts";

export interface MessageOptions {
  readonly records: Records;
  /** Returns the URL at which people reach the host. */
  readonly publicUrl: () => string;
}

/** The parts of an alert and its evaluation that a message shows. */
export type ReportedAlert = Pick<
  ResourceRow<"alert">,
  "id" | "name" | "query" | "schedule_id" | "timezone_id" | "user_id"
>;
export type ReportedEvaluation = Pick<Evaluation, "slotMs" | "answer"> & {
  readonly step: Pick<Evaluation["step"], "notices">;
};

export interface Report {
  readonly alert: ReportedAlert;
  readonly evaluation: ReportedEvaluation;
}

/** Creates the message of one evaluation, as `createMessages` does. */
export async function createMessage(
  alert: ReportedAlert,
  evaluation: ReportedEvaluation,
  options: MessageOptions,
  transaction?: Knex.Transaction,
): Promise<Message> {
  const [message] = await createMessages([{ alert, evaluation }], options, transaction);
  return message!;
}

/**
 * Creates the messages of evaluations, with the rows that each alert's user was allowed to see. A message without an
 * answer names no columns, because the user may have lost the right to read them. The message of an alert that is not
 * stored, whose id is empty, has no link. Runs four statements for any number of evaluations.
 */
export async function createMessages(
  reports: readonly Report[],
  { records, publicUrl }: MessageOptions,
  transaction?: Knex.Transaction,
): Promise<readonly Message[]> {
  const alerts = reports.map(({ alert }) => alert);
  const scheduleIds = alerts.flatMap(({ schedule_id }) => schedule_id ?? []);
  const [users, schedules, columns] = await Promise.all([
    byId(records.find("user", { id: alerts.map(({ user_id }) => user_id) }, transaction)),
    byId(records.find("schedule", { id: scheduleIds }, transaction)),
    columnsOf(
      reports.filter(({ evaluation }) => evaluation.answer).map(({ alert }) => alert.query),
      records,
      transaction,
    ),
  ]);
  return reports.map(({ alert, evaluation: { slotMs, answer, step } }): Message => {
    const data = answer?.data ?? [];
    const isMade = alert.id !== "";
    const locale = localeIn(users.get(alert.user_id));
    const query = isObject<"options">(alert.query) ? alert.query : {};
    const nameOf = (id: string) => localizedText(columns.get(id.toLowerCase())?.name, locale) || id;
    const references = answer ? referencesIn(query) : [];
    const { timezone_id: queryZone } = isObject(query.options) ? query.options : {};
    const schedule = schedules.get(alert.schedule_id ?? "");
    return {
      kind: "alert",
      alertId: isMade ? alert.id : null,
      name: namesOf(alert.name),
      notices: step.notices.slice(0, mostNotices),
      noticeCounts: countsOf(step.notices),
      condition: answer ? conditionOf(query, nameOf) : "",
      slotMs,
      zone: schedule?.timezone ?? alert.timezone_id ?? "UTC",
      queryZone: typeof queryZone === "string" ? queryZone : "UTC",
      locale,
      heads: references.map((each) => referenceText({ ...each, aggregation: undefined }, nameOf)),
      references: references.map(referenceOf),
      forms: references.map((each) => formOf(each, columns.get(idOf(each)))),
      rows: data.slice(0, mostRows),
      rowCount: data.length,
      ...(isMade && { link: `${publicUrl()}/alerts/${alert.id}` }),
    };
  });
}

async function byId<Found extends { readonly id: string }>(
  found: Promise<readonly Found[]>,
): Promise<ReadonlyMap<string, Found>> {
  return new Map((await found).map((row) => [row.id, row]));
}

/** Returns a user's locale as a tag that the runtime supports. The default is English. */
export async function localeOf(
  userId: string,
  records: Records,
  transaction?: Knex.Transaction,
): Promise<string> {
  const [user] = await records.find("user", { id: userId }, transaction);
  return localeIn(user);
}

/** Returns the locale of a user record, as `localeOf` does. */
export function localeIn(user: ResourceRow<"user"> | undefined): string {
  const given = [user?.locale_id, user?.locale].find((each) => each && isLocale(each));
  return given?.replaceAll("_", "-") ?? "en";
}

/** Returns the number of notices of each kind. */
export function countsOf(notices: readonly Notice[]): Message["noticeCounts"] {
  const counts: Partial<Record<Notice["kind"], number>> = {};
  for (const { kind } of notices) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** Returns the references of an answer's columns, dimensions first. */
function referencesIn({ dimensions, measures }: Readonly<Record<string, unknown>>) {
  return [dimensions, measures]
    .flatMap((each): unknown[] => (Array.isArray(each) ? each : []))
    .map((each) => (isObject(each) ? each : {}));
}

type Shown = Pick<ResourceRow<"column">, "name"> & {
  readonly type?: string;
  readonly subtype?: string | null;
};

/** Finds the columns and formulas that queries name, by id. */
async function columnsOf(
  queries: readonly unknown[],
  records: Records,
  transaction?: Knex.Transaction,
): Promise<ReadonlyMap<string, Shown>> {
  const ids = [...idsIn(queries)];
  if (ids.length === 0) return new Map();
  const [columns, formulas] = await Promise.all([
    records.find("column", { id: ids }, transaction),
    records.find("formula", { id: ids }, transaction),
  ]);
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

/** Returns what a reference of a query names, for programs that read the message. */
function referenceOf(reference: Readonly<Record<string, unknown>>): ColumnReference {
  const { dataset_id, column_id, formula_id, aggregation } = reference;
  const { type } = isObject<"type">(aggregation) ? aggregation : { type: aggregation };
  const textOf = (value: unknown) => (typeof value === "string" ? value : null);
  const isOfDataset = typeof dataset_id === "string" && isUuid(dataset_id);
  return {
    // The columns of an inner query belong to no dataset.
    datasetId: isOfDataset ? dataset_id : null,
    columnId: textOf(column_id),
    formulaId: textOf(formula_id),
    aggregation: textOf(type),
  };
}

/** The last level whose periods start at midnight: the day. */
const mostDayLevel = 5;

function formOf(reference: Members<"level">, column: Shown | undefined): CellForm {
  if (column?.type !== "datetime") return column?.type === "numeric" ? "number" : "text";
  if (column.subtype === "date") return "date";
  const level = Number(reference.level ?? 0);
  return level > 0 && level <= mostDayLevel ? "day" : "instant";
}
