import type { AnswerCell } from "../../queries/index.ts";
import type { Notice } from "../alerts/step.ts";

/** A message of an alert, before a medium gives it a form. Its rows are rows that the alert's user may see. */
export interface Message {
  readonly alertId: string;
  /** The alert's name by language. */
  readonly name: Readonly<Record<string, string>>;
  readonly notices: readonly Notice[];
  /** The slot for which the alert was evaluated, in milliseconds since 1970. */
  readonly slotMs: number;
  readonly zone: string;
  /** Heads of the table, in the language of the user. */
  readonly heads: readonly string[];
  /** The first rows of the answer, at most `mostRows`. */
  readonly rows: readonly (readonly AnswerCell[])[];
  /** Rows of the whole answer. */
  readonly rowCount: number;
  /** Where the alert is seen; undefined for a host without a public address. */
  readonly link?: string;
}

/** Rows of the answer that a message shows. */
export const mostRows = 20;

/** Returns whether a message reports a beginning; otherwise it reports ends alone. */
export const isBeginning = ({ notices }: Pick<Message, "notices">): boolean =>
  notices.some(({ kind }) => kind !== "resolved");

/** A cell as people read it: the label of a text, a number in the locale, an instant on the zone's clock. */
export function cellText(cell: AnswerCell | undefined): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell !== "object") return String(cell);
  return cell.name["en"] ?? Object.values(cell.name)[0] ?? cell.id;
}

/** The name of an alert: in English, else in its first language. */
export const nameText = ({ name }: Pick<Message, "name">): string =>
  name["en"] ?? Object.values(name)[0] ?? "";
