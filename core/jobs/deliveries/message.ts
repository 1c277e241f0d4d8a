import type { AnswerCell } from "../../queries/index.ts";
import type { Notice } from "../alerts/step.ts";
import { localizedText, readColumns, type SlotField } from "../../web/charts/index.ts";
import type { ToldQuery } from "./tellQuery.ts";
import type { MessageWords } from "./words/messageWords.ts";
import { wordsIn } from "./words/wordsIn.ts";

/** A message before it is rendered for a medium. Contains only rows that the alert's user may see. */
export interface Message {
  /**
   * `alert`: one evaluation. `digest`: evaluations of many alerts. `export`: a scheduled dashboard. `test`: a test of a
   * channel or an alert. `channel`: a notification that a channel does not work.
   */
  readonly kind: "alert" | "digest" | "export" | "test" | "channel";
  /** The alert's id; null for a digest, for a message about a channel, and for an alert that is not stored. */
  readonly alertId: string | null;
  /** The first file of an export, which is attached to mails. */
  readonly attachment?: Attachment;
  /** The other files of an export. */
  readonly moreAttachments?: readonly Attachment[];
  /** The name of the alert, dashboard or channel, by language. */
  readonly name: Readonly<Record<string, string>>;
  /** The first `mostNotices` notices. If there are more, the message reports only their counts. */
  readonly notices: readonly Notice[];
  /** The number of all notices, by kind. */
  readonly noticeCounts: Readonly<Partial<Record<Notice["kind"], number>>>;
  /** The filters of the query in English words, for programs; empty if it has none. */
  readonly condition: string;
  /** The query in the reader's words. Absent without a query. */
  readonly told?: ToldQuery;
  /** The instances that the notices report, in the order of the notices. Absent for an alert without `instance_by`. */
  readonly instances?: readonly ListedInstance[];
  /** The number of instances in all notices, by change. Absent without instances. */
  readonly changeCounts?: Readonly<Partial<Record<InstanceChange, number>>>;
  /** Announced instances that still fire, although no notice reports them. Absent if there are none. */
  readonly stillFiring?: { readonly count: number; readonly instances: readonly ListedInstance[] };
  /** The thresholds of the condition. */
  readonly thresholds?: readonly MessageThreshold[];
  /** The values that a picture compares. Absent if a picture would show nothing that the text does not say. */
  readonly chart?: MessageChart;
  /** Why a channel does not work, or why items of a dashboard could not be drawn; absent if there is no problem. */
  readonly problem?: string;
  /** The slot for which the alert was evaluated, in milliseconds since 1970. */
  readonly slotMs: number;
  /** IANA name of the alert's time zone. */
  readonly zone: string;
  /** IANA name of the time zone for the query's periods. */
  readonly queryZone: string;
  /** BCP 47 tag of the user's locale. */
  readonly locale: string;
  /** Table headings in the user's language. */
  readonly heads: readonly string[];
  /** What each column of the rows refers to, for programs. Absent without columns. */
  readonly references?: readonly ColumnReference[];
  /** Table headings with the aggregation, in the reader's language. */
  readonly titles?: readonly string[];
  /** The form of the cells, for each column of `rows`. */
  readonly forms: readonly CellForm[];
  /** What formats the cells, for each column of `rows`. Messages of earlier versions have only `forms`. */
  readonly fields?: readonly SlotField[];
  /** The first `mostRows` rows of the answer; for a digest, its first alerts. */
  readonly rows: readonly (readonly AnswerCell[])[];
  /** Number of rows in the whole answer; for a digest, the number of its alerts. */
  readonly rowCount: number;
  /** The alerts of a digest; absent for other messages. */
  readonly alerts?: readonly DigestedAlert[];
  /** The export that a message of kind `export` reports. */
  readonly exported?: {
    readonly eventId: string;
    readonly scheduleId: string;
    readonly dashboardId: string | null;
  };
  /** The channel that a message of kind `channel` reports. */
  readonly failedChannelId?: string;
  /** URL of the alert, channel or file; undefined for an alert that is not stored. */
  readonly link?: string;
  /** The other files of an export, with the names of the files. */
  readonly moreLinks?: readonly MessageLink[];
  /**
   * URL of the dashboard that a schedule sends, or from which the alert was created, with the choices under which it
   * was created.
   */
  readonly dashboardLink?: string;
  /** URL that opens the rows of the alert in Explore, with its filters. */
  readonly exploreLink?: string;
}

/** A file of an export. */
export interface Attachment {
  readonly exportEventId: string;
  readonly name: string;
  readonly mediaType: string;
}

/** What an instance of an alert did. `missing`: it has no data. `continues`: it was firing before. */
export type InstanceChange = keyof MessageWords["states"];

/** One instance of an alert in a message. */
export interface ListedInstance {
  readonly key: string;
  /** The name of the instance in the reader's language. */
  readonly label: string;
  readonly change: InstanceChange;
  /** Its row of the answer; null if the evaluation returned none. */
  readonly row: readonly AnswerCell[] | null;
}

/** A comparison of a measure with a number in the condition of an alert. */
export interface MessageThreshold {
  /** Index of the measure among the cells of a row; null if the query does not return the measure. */
  readonly cell: number | null;
  readonly operator: string;
  readonly value: number;
}

/** The bars or points of a picture: one category and one measure per row. */
export interface MessageChart {
  readonly category: SlotField;
  readonly measure: SlotField;
  readonly rows: readonly (readonly [AnswerCell, AnswerCell])[];
  readonly threshold: number | null;
}

/** A column or formula of an alert's query. */
export interface ColumnReference {
  readonly datasetId: string | null;
  /** Id of the column; `*` counts rows. Null for a formula. */
  readonly columnId: string | null;
  readonly formulaId: string | null;
  /** The type of a measure's aggregation; null for a dimension, and for a formula. */
  readonly aggregation: string | null;
}

/** One alert in a digest. */
export interface DigestedAlert {
  readonly alertId: string;
  /** The name of the alert, by language. */
  readonly name: Readonly<Record<string, string>>;
  readonly noticeCounts: Message["noticeCounts"];
  /** The slot of the evaluation, in milliseconds since 1970. */
  readonly slotMs: number;
  /** Number of rows in the alert's answer; null without an answer. */
  readonly rowCount: number | null;
  readonly link: string;
}

/** `day`: the first day of a period in the query's time zone. `date`: a date without a time. */
export type CellForm = "text" | "number" | "instant" | "day" | "date";

/** Maximum number of rows that a message shows. */
export const mostRows = 20;
/** Maximum number of notices that a message lists one by one. */
export const mostNotices = 20;

/**
 * Returns whether a message reports at least one instance that started firing, rather than only instances that stopped.
 */
export const isBeginning = ({ noticeCounts }: Pick<Message, "noticeCounts">): boolean =>
  Object.keys(noticeCounts).some((kind) => kind !== "resolved");

/** Returns the words of the reader's language. */
export const wordsOfMessage = ({ locale }: Pick<Message, "locale">): MessageWords =>
  wordsIn(locale);

/** Maximum number of instances that a title names per state. */
const mostNamed = 3;

/**
 * Returns the title of a message, which says what happened: `Resolved: Nord; still firing: Süd – Prices`. The title of
 * an export is only its name.
 */
export function titleOf(message: Message): string {
  const words = wordsOfMessage(message);
  const name = localizedText(message.name, message.locale);
  switch (message.kind) {
    case "channel":
      return `${words.channelFails}: ${name}`;
    case "export":
      return name;
    case "test":
      return `${words.test}: ${name}`;
    case "digest":
      return `${words.alertCount(countText(message.rowCount, message))}: ${name}`;
    case "alert":
      return alertTitle(message, name);
  }
}

function alertTitle(message: Message, name: string): string {
  const words = wordsOfMessage(message);
  const changes: readonly (readonly [InstanceChange, string])[] = [
    ["began", words.alert],
    ["continues", words.alert],
    ["failed", words.error],
    ["ended", words.resolved],
    ["missing", words.noData],
  ];
  const { instances = [], notices, changeCounts = {}, stillFiring } = message;
  const parts = changes.flatMap(([change, word]) => {
    const found = instances.filter((each) => each.change === change);
    const count = changeCounts[change] ?? found.length;
    return count === 0 ? [] : [`${word}: ${namesIn(found, count, message)}`];
  });
  if (parts.length === 0) {
    const [kind] = notices.map((each) => each.kind);
    const word = isBeginning(message)
      ? kind === "no_data"
        ? words.noData
        : words.alert
      : words.resolved;
    const value = onlyValue(message);
    return `${word}: ${name}${value === undefined ? "" : ` – ${value}`}`;
  }
  if (stillFiring && instances.every(({ change }) => change !== "continues"))
    parts.push(
      `${words.stillFiring}: ${namesIn(stillFiring.instances, stillFiring.count, message)}`,
    );
  return `${parts.join("; ")} – ${name}`;
}

function namesIn(
  instances: readonly ListedInstance[],
  count: number,
  message: Pick<Message, "locale">,
): string {
  const named = instances.slice(0, mostNamed).map(({ label }) => label);
  const restCount = count - named.length;
  const rest = restCount > 0 ? [wordsOfMessage(message).more(countText(restCount, message))] : [];
  return [...named, ...rest].join(", ");
}

/** Describes the value of an alert whose answer is a single number; undefined for other answers. */
function onlyValue({ rows, rowCount, titles = [], fields = [], ...message }: Message) {
  const [row] = rows;
  const [head] = titles;
  const { kind, locale, forms, zone, queryZone } = message;
  if (kind !== "alert" || rowCount !== 1 || row?.length !== 1 || head === undefined)
    return undefined;
  const [cell] = rowTexts(row, { locale, forms, fields, zone, queryZone });
  return `${head}: ${cell ?? ""}`;
}

/** Writes a count in the format of the reader. */
export const countText = (count: number, { locale }: Pick<Message, "locale">): string =>
  new Intl.NumberFormat(locale).format(count);

const noticeTotal = (counts: Message["noticeCounts"]): number =>
  Object.values(counts).reduce((sum, each) => sum + each, 0);

/** Returns the counts of notices in words; undefined for a message that lists every notice. */
export function digestOf(message: Message): string | undefined {
  const { notices, noticeCounts } = message;
  const count = noticeTotal(noticeCounts);
  if (count <= notices.length) return undefined;
  const words = wordsOfMessage(message);
  const writers = {
    firing: words.firingCount,
    resolved: words.resolvedCount,
    no_data: words.noDataCount,
    error: words.errorCount,
  };
  const parts = Object.entries(writers).flatMap(([kind, write]) => {
    const found = Object.entries(noticeCounts).find(([each]) => each === kind);
    return found ? [write(countText(found[1], message))] : [];
  });
  return `${words.instanceCount(countText(count, message))}: ${parts.join(", ")}`;
}

/** Formats the instant of a message in the reader's time zone and locale. */
export function whenText({ slotMs, zone, locale }: Message): string {
  const form = { dateStyle: "full", timeStyle: "long", timeZone: zone } as const;
  return new Intl.DateTimeFormat(locale, form).format(slotMs);
}

/** What a message says about its query, as pairs of a head and a text. */
export function factsOf(message: Message): readonly (readonly [head: string, text: string])[] {
  const words = wordsOfMessage(message);
  const { told, condition, problem, stillFiring } = message;
  const facts: readonly (readonly [string, string | undefined])[] = [
    [words.condition, told?.condition ?? condition],
    [words.filters, told?.filters],
    [words.period, told?.period],
    [
      words.states.continues,
      stillFiring && namesIn(stillFiring.instances, stillFiring.count, message),
    ],
    [words.summary, digestOf(message)],
    [words.problem, problem],
    [words.checked, whenText(message)],
  ];
  return facts.flatMap(([head, text]) => (text === undefined || text === "" ? [] : [[head, text]]));
}

/** A table as people read it. */
export interface MessageTable {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Whether each column contains numbers, which are aligned at their end. */
  readonly areNumbers: readonly boolean[];
  /** How many rows the table leaves out, in words; undefined if it contains all rows. */
  readonly rest: string | undefined;
}

/**
 * Returns the table of a message as people read it: the instances with their states, or the rows of the answer. Null
 * cells are empty.
 */
export function tableOf(message: Message): MessageTable {
  const words = wordsOfMessage(message);
  const { heads, titles = heads, forms, fields, rows, instances = [], rowCount, kind } = message;
  const areNumbers = fields
    ? readColumns({ fields, localeId: "en", timezoneId: "UTC" }).map(({ isNumeric }) => isNumeric)
    : forms.map((form) => form === "number");
  const restOf = (count: number, write: (count: string) => string) =>
    count > 0 ? write(countText(count, message)) : undefined;
  if (instances.length > 0)
    return {
      heads: [words.state, ...titles],
      rows: instances.map(({ change, row, label }) => [
        words.states[change],
        ...(row ? rowTexts(row, message) : titles.map((_, index) => (index === 0 ? label : ""))),
      ]),
      areNumbers: [false, ...areNumbers],
      rest: restOf(noticeTotal(message.noticeCounts) - instances.length, words.more),
    };
  return {
    heads: titles,
    rows: rows.map((row) => rowTexts(row, message)),
    areNumbers,
    rest: restOf(rowCount - rows.length, kind === "digest" ? words.moreAlerts : words.moreRows),
  };
}

/** Formats the cells of a row for the reader. Periods are shown in the time zone of the query. */
export function rowTexts(
  row: readonly AnswerCell[],
  {
    locale,
    forms,
    fields,
    zone,
    queryZone,
  }: Pick<Message, "locale" | "forms" | "fields" | "zone" | "queryZone">,
): string[] {
  const shown = fields ?? forms.map(fieldOfForm);
  return row.map((cell, index) => {
    const field = shown[index];
    if (cell === null || !field) return cell === null ? "" : String(cell);
    const isPeriod = field.level !== undefined || forms[index] === "day";
    const [column] = readColumns({
      fields: [field],
      localeId: locale,
      timezoneId: isPeriod ? queryZone : zone,
    });
    return column?.text(cell) ?? "";
  });
}

/** Returns the field of a column whose message contains only its form. */
function fieldOfForm(form: CellForm): SlotField {
  const slot = "";
  switch (form) {
    case "number":
      return { slot, type: "numeric" };
    case "instant":
      return { slot, type: "datetime" };
    case "day":
      return { slot, type: "datetime", level: 5 };
    case "date":
      return { slot, type: "datetime", subtype: "date", level: 5 };
    case "text":
      return { slot, type: "hierarchy" };
  }
}

/** A link of a message, with the words of its button. */
export interface MessageLink {
  readonly text: string;
  readonly url: string;
}

/** Returns the links of a message, most useful first. */
export function linksOf(message: Message): readonly MessageLink[] {
  const words = wordsOfMessage(message);
  const { kind, alertId, link, dashboardLink, exploreLink, moreLinks = [] } = message;
  const ownText = {
    alert: words.openAlert,
    test: alertId === null ? words.open : words.openAlert,
    digest: words.open,
    export: words.openFile,
    channel: words.openChannel,
  }[kind];
  const links: readonly (readonly [string, string | undefined])[] = [
    [words.openDashboard, dashboardLink],
    [words.openExplore, exploreLink],
    [ownText, link],
  ];
  const found = links.flatMap(([text, url]) => (url === undefined ? [] : [{ text, url }]));
  return [...found, ...moreLinks];
}
