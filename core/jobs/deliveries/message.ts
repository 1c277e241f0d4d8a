import type { AnswerCell } from "../../queries/index.ts";
import type { Notice } from "../alerts/step.ts";
import { localizedText } from "../../web/charts/index.ts";

/** A message before it is rendered for a medium. Contains only rows that the alert's user may see. */
export interface Message {
  /**
   * `alert`: one evaluation. `digest`: evaluations of many alerts. `export`: a scheduled dashboard. `test`: a test of a
   * channel or an alert. `channel`: a notification that a channel does not work.
   */
  readonly kind: "alert" | "digest" | "export" | "test" | "channel";
  /** The alert's id; null for a digest, for a message about a channel, and for an alert that is not stored. */
  readonly alertId: string | null;
  /** The file of an export, which is attached to mails. */
  readonly attachment?: {
    readonly exportEventId: string;
    readonly name: string;
    readonly mediaType: string;
  };
  /** The name of the alert, dashboard or channel, by language. */
  readonly name: Readonly<Record<string, string>>;
  /** The first `mostNotices` notices. If there are more, the message reports only their counts. */
  readonly notices: readonly Notice[];
  /** The number of all notices, by kind. */
  readonly noticeCounts: Readonly<Partial<Record<Notice["kind"], number>>>;
  /** The filters of the query in words; empty if it has none. */
  readonly condition: string;
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
  /** The form of the cells, for each column of `rows`. */
  readonly forms: readonly CellForm[];
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

/**
 * Returns the title of a message: its kind and the name of the alert or channel. The title of an export is only its
 * name.
 */
export function titleOf(message: Message): string {
  const name = localizedText(message.name, message.locale);
  if (message.kind === "channel") return `Channel not working: ${name}`;
  if (message.kind === "export") return name;
  if (message.kind === "test") return `Test: ${name}`;
  if (message.kind === "digest") return `${message.rowCount} alerts: ${name}`;
  return `${isBeginning(message) ? "Alert" : "Resolved"}: ${name}`;
}

/** Returns the counts of a digest in words; undefined for a message that lists every instance. */
export function digestOf({ notices, noticeCounts }: Message): string | undefined {
  const counts = Object.entries(noticeCounts);
  const count = counts.reduce((sum, [, each]) => sum + each, 0);
  if (count <= notices.length) return undefined;
  return `${count} instances: ${counts.map(([kind, each]) => `${each} ${kind.replace("_", " ")}`).join(", ")}`;
}

/** Formats the instant of a message in its time zone and locale. */
export function whenText({ slotMs, zone, locale }: Message): string {
  const form = { dateStyle: "full", timeStyle: "long", timeZone: zone } as const;
  return new Intl.DateTimeFormat(locale, form).format(slotMs);
}

/** Returns the table of a message as people read it, without headings. Null cells are empty. */
export function tableOf(message: Message): string[][] {
  return message.rows.map((row) =>
    row.map((cell, index) => cellText(cell, message.forms[index] ?? "text", message)),
  );
}

/** Returns a sentence that says how many rows the table omits; undefined if the table contains all rows. */
export function restOf({ kind, rows, rowCount }: Message): string | undefined {
  const restCount = rowCount - rows.length;
  const noun = kind === "digest" ? "alert" : "row";
  return restCount > 0 ? `and ${restCount} more ${noun}${restCount === 1 ? "" : "s"}` : undefined;
}

function cellText(cell: AnswerCell, form: CellForm, message: Message): string {
  const { locale } = message;
  if (cell === null) return "";
  if (typeof cell === "object") return localizedText(cell.name, locale) || cell.id;
  if (typeof cell === "number")
    return new Intl.NumberFormat(locale, { maximumFractionDigits: 20 }).format(cell);
  const timeZone = zoneOf(form, message);
  const instant = timeZone === undefined ? Number.NaN : Date.parse(cell);
  if (timeZone === undefined || Number.isNaN(instant)) return cell;
  const style: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeZone };
  if (form === "instant") style.timeStyle = "medium";
  return new Intl.DateTimeFormat(locale, style).format(instant);
}

function zoneOf(form: CellForm, { zone, queryZone }: Message): string | undefined {
  if (form === "instant") return zone;
  if (form === "day") return queryZone;
  return form === "date" ? "UTC" : undefined;
}
