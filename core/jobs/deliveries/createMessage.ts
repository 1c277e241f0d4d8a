import type { Knex } from "knex";
import {
  isObject,
  isUuid,
  type Records,
  type ResourceRow,
  type Members,
} from "../../base/index.ts";
import { isLocale } from "../../queries/index.ts";
import type { Notice } from "../alerts/step.ts";
import { chartOf } from "./chartOf.ts";
import { conditionOf, referenceText } from "./conditionOf.ts";
import { dashboardAddress } from "./dashboardAddress.ts";
import { exploreAddress } from "./exploreAddress.ts";
import { type ColumnOf, fieldOf, idOf, nameOfUse, type NamedColumn } from "./fieldOf.ts";
import { listInstances } from "./listInstances.ts";
import {
  type CellForm,
  type ColumnReference,
  type Message,
  mostRows,
  rowTexts,
} from "./message.ts";
import { namesOf } from "./namesOf.ts";
import type { ReportedAlert, ReportedEvaluation } from "./reported.ts";
import { tellQuery } from "./tellQuery.ts";
import { thresholdsIn } from "./thresholdsIn.ts";
import { wordsIn } from "./words/wordsIn.ts";
import { localizedText } from "../../web/charts/index.ts";

export interface MessageOptions {
  readonly records: Records;
  /** Returns the URL at which people reach the host. */
  readonly publicUrl: () => string;
}

export interface Report {
  readonly alert: ReportedAlert;
  readonly evaluation: ReportedEvaluation;
}

/** A person who reads a message, and whose settings decide its language and time zone. */
export interface Reader {
  /** BCP 47 tag. */
  readonly locale: string;
  /** IANA name of the time zone of instants; undefined to use the zone of the alert. */
  readonly zone: string | undefined;
}

/** Creates the message for a reader; without a reader, for the alert's user. */
export type MessageTo = (reader?: Reader) => Message;

/** Creates the message of one evaluation, as `createMessages` does. */
export async function createMessage(
  alert: ReportedAlert,
  evaluation: ReportedEvaluation,
  options: MessageOptions,
  transaction?: Knex.Transaction,
): Promise<Message> {
  const [messageTo] = await createMessages([{ alert, evaluation }], options, transaction);
  return messageTo!();
}

/**
 * Prepares the messages of evaluations, with the rows that each alert's user was allowed to see. A message without an
 * answer names no columns, because the user may have lost the right to read them. The message of an alert that is not
 * stored, whose id is empty, has no link. Runs four statements for any number of evaluations.
 */
export async function createMessages(
  reports: readonly Report[],
  { records, publicUrl }: MessageOptions,
  transaction?: Knex.Transaction,
): Promise<readonly MessageTo[]> {
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
  return reports.map((report): MessageTo => {
    const { alert } = report;
    const usual = {
      locale: localeIn(users.get(alert.user_id)),
      zone: schedules.get(alert.schedule_id ?? "")?.timezone ?? alert.timezone_id ?? "UTC",
    };
    return (reader) =>
      messageOf(report, {
        locale: reader?.locale ?? usual.locale,
        zone: reader?.zone ?? usual.zone,
        columnOf: (id) => columns.get(id),
        publicUrl: publicUrl(),
      });
  });
}

interface Wanted {
  readonly locale: string;
  readonly zone: string;
  readonly columnOf: ColumnOf;
  readonly publicUrl: string;
}

function messageOf(
  { alert, evaluation }: Report,
  { locale, zone, columnOf, publicUrl }: Wanted,
): Message {
  const { slotMs, answer, step } = evaluation;
  const data = answer?.data ?? [];
  const isMade = alert.id !== "";
  const words = wordsIn(locale);
  const query = isObject<"options">(alert.query) ? alert.query : {};
  const nameOf = (id: string) => localizedText(columnOf(id.toLowerCase())?.name, locale) || id;
  const references = answer ? referencesIn(query) : [];
  const { timezone_id: given } = isObject(query.options) ? query.options : {};
  const queryZone = typeof given === "string" && given !== "" ? given : "UTC";
  const thresholds = answer ? thresholdsIn(query, references) : [];
  const fields = references.map((each) => fieldOf(each, columnOf));
  const forms = references.map((each) => formOf(each, columnOf(idOf(each))));
  const format = { locale, zone, queryZone, fields, forms };
  const listed = listInstances(alert, evaluation, {
    thresholds,
    nameOf: (row) => rowTexts(row, format),
  });
  const titles = references.map((each) => nameOfUse(each, columnOf, { locale, words }));
  const chart = answer && chartOf(evaluation, { fields, titles, thresholds });
  const path = isMade ? `${publicUrl}/alerts/${alert.id}` : undefined;
  const explore = answer && exploreAddress(query);
  const dashboard = dashboardAddress(alert);
  return {
    kind: "alert",
    alertId: isMade ? alert.id : null,
    name: namesOf(alert.name),
    notices: listed.notices,
    noticeCounts: countsOf(step.notices),
    condition: answer ? conditionOf(query, nameOf) : "",
    ...(answer && { told: tellQuery(query, { columnOf, words, locale, queryZone, slotMs }) }),
    ...(listed.instances && { instances: listed.instances }),
    ...(listed.changeCounts && { changeCounts: listed.changeCounts }),
    ...(listed.stillFiring && { stillFiring: listed.stillFiring }),
    ...(thresholds.length > 0 && { thresholds }),
    ...(chart && { chart }),
    slotMs,
    zone,
    queryZone,
    locale,
    heads: references.map((each) => referenceText({ ...each, aggregation: undefined }, nameOf)),
    titles,
    references: references.map(referenceOf),
    forms,
    fields,
    rows: data.slice(0, mostRows),
    rowCount: data.length,
    ...(path !== undefined && { link: path }),
    ...(isMade && dashboard !== undefined && { dashboardLink: `${publicUrl}${dashboard}` }),
    ...(isMade && explore && { exploreLink: `${publicUrl}${explore}` }),
  };
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
export function localeIn(
  user: Pick<ResourceRow<"user">, "locale" | "locale_id"> | undefined,
): string {
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

/** Finds the columns and formulas that queries name, by id. */
async function columnsOf(
  queries: readonly unknown[],
  records: Records,
  transaction?: Knex.Transaction,
): Promise<ReadonlyMap<string, NamedColumn>> {
  const ids = [...idsIn(queries)];
  if (ids.length === 0) return new Map();
  const [columns, formulas] = await Promise.all([
    records.find("column", { id: ids }, transaction),
    records.find("formula", { id: ids }, transaction),
  ]);
  const shown = [...columns, ...formulas].map((row): [string, NamedColumn] => [row.id, row]);
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

function formOf(reference: Members<"level">, column: NamedColumn | undefined): CellForm {
  if (column?.type !== "datetime") return column?.type === "numeric" ? "number" : "text";
  if (column.subtype === "date") return "date";
  const level = Number(reference.level ?? 0);
  return level > 0 && level <= mostDayLevel ? "day" : "instant";
}
