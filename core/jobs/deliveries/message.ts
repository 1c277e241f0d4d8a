import type { AnswerCell } from "../../queries/index.ts";
import type { Notice } from "../alerts/step.ts";
import { localizedText } from "../../web/charts/index.ts";

/** A message before a medium gives it a form. Its rows are rows that the alert's user may see. */
export interface Message {
  /**
   * `alert`: an evaluation. `digest`: evaluations of many alerts. `export`: a dashboard by a schedule. `test`: somebody
   * tries a channel or an alert. `channel`: a channel does not work.
   */
  readonly kind: "alert" | "digest" | "export" | "test" | "channel";
  /** The alert; null for a digest, a message about a channel, and an alert that is not made yet. */
  readonly alertId: string | null;
  /** The file of an export that mails carry. */
  readonly attachment?: {
    readonly exportEventId: string;
    readonly name: string;
    readonly mediaType: string;
  };
  /** The name of the alert, the dashboard or the channel by language. */
  readonly name: Readonly<Record<string, string>>;
  /** The first beginnings and ends, at most `mostNotices`; above that the message is a digest. */
  readonly notices: readonly Notice[];
  /** All beginnings and ends by kind. */
  readonly noticeCounts: Readonly<Partial<Record<Notice["kind"], number>>>;
  /** The filters of the query in words; empty when it has none. */
  readonly condition: string;
  /** The problem of a channel, or of items of a dashboard. */
  readonly problem?: string;
  /** The slot for which the alert was evaluated, in milliseconds since 1970. */
  readonly slotMs: number;
  /** IANA name of the alert's zone. */
  readonly zone: string;
  /** IANA name of the zone in which the query divides periods. */
  readonly queryZone: string;
  /** BCP 47 tag of the user's locale. */
  readonly locale: string;
  /** Heads of the table, in the language of the user. */
  readonly heads: readonly string[];
  /** The form of the cells of each column. */
  readonly forms: readonly CellForm[];
  /** The first rows of the answer, at most `mostRows`; in a digest the first alerts. */
  readonly rows: readonly (readonly AnswerCell[])[];
  /** Rows of the whole answer; in a digest its alerts. */
  readonly rowCount: number;
  /** The alerts of a digest. */
  readonly alerts?: readonly DigestedAlert[];
  /** Where the alert, the channel or the file is seen; undefined for an alert that is not made yet. */
  readonly link?: string;
}

/** One alert in a digest. */
export interface DigestedAlert {
  readonly alertId: string;
  /** By language. */
  readonly name: Readonly<Record<string, string>>;
  readonly noticeCounts: Message["noticeCounts"];
  /** Milliseconds since 1970. */
  readonly slotMs: number;
  /** Rows of its answer; null without one. */
  readonly rowCount: number | null;
  readonly link: string;
}

/** `day`: the first day of a period in the zone of the query. `date`: a date without time. */
export type CellForm = "text" | "number" | "instant" | "day" | "date";

/** Rows of the answer that a message shows. */
export const mostRows = 20;
/** Beginnings and ends that a message names one by one. */
export const mostNotices = 20;

/** Returns whether a message reports a beginning; otherwise it reports ends alone. */
export const isBeginning = ({ noticeCounts }: Pick<Message, "noticeCounts">): boolean =>
  Object.keys(noticeCounts).some((kind) => kind !== "resolved");

/** Returns the title of a message: its kind and the name of the alert or the channel; of an export its name. */
export function titleOf(message: Message): string {
  const name = localizedText(message.name, message.locale);
  if (message.kind === "channel") return `Channel does not work: ${name}`;
  if (message.kind === "export") return name;
  if (message.kind === "test") return `Test: ${name}`;
  if (message.kind === "digest") return `${message.rowCount} alerts: ${name}`;
  return `${isBeginning(message) ? "Alert" : "Resolved"}: ${name}`;
}

/** Counts of a digest, as people read them; undefined for a message that names every instance. */
export function digestOf({ notices, noticeCounts }: Message): string | undefined {
  const counts = Object.entries(noticeCounts);
  const count = counts.reduce((sum, [, each]) => sum + each, 0);
  if (count <= notices.length) return undefined;
  return `${count} instances: ${counts.map(([kind, each]) => `${each} ${kind.replace("_", " ")}`).join(", ")}`;
}

/** Returns the instant of a message on the clock of its zone, in its locale. */
export function whenText({ slotMs, zone, locale }: Message): string {
  const form = { dateStyle: "full", timeStyle: "long", timeZone: zone } as const;
  return new Intl.DateTimeFormat(locale, form).format(slotMs);
}

/** Returns the table of a message as people read it, without heads; null cells are empty. */
export function tableOf(message: Message): string[][] {
  return message.rows.map((row) =>
    row.map((cell, index) => cellText(cell, message.forms[index] ?? "text", message)),
  );
}

/** Returns how many rows are not in the table, in words; undefined when all are. */
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
