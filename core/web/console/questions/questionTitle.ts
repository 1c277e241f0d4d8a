import { readerLocale } from "../language/index.ts";
import { phraseOfMeasure } from "./calculations.ts";
import { nameOf, type ExploredColumn } from "./columns.ts";
import { inSentence } from "./inSentence.ts";
import type { Grouping, Question } from "./question.ts";
import { questionWords as words } from "./questionWords.ts";
import { withCapital } from "./withCapital.ts";

const lists = new Intl.ListFormat(readerLocale, { type: "conjunction", style: "long" });

/** Returns a question in words, such as "Average delay by month and origin"; "" for a question without columns. */
export function questionTitle(
  question: Question,
  columns: ReadonlyMap<string, ExploredColumn>,
): string {
  const { rows, color, measures } = question;
  const groupings = [...rows, ...(color ? [color] : [])].map((each) =>
    phraseOfGrouping(each, columns),
  );
  const phrases = measures.map((measure) => phraseOfMeasure(measure, question, columns));
  const [first = "", ...others] = phrases;
  const measured = lists.format(
    [first, ...others.map(withSmallInitial)].filter((each) => each !== ""),
  );
  if (groupings.length === 0) return measured;
  const grouped = lists.format(groupings);
  return measured === "" ? withCapital(grouped) : words.by(measured, grouped);
}

/** Returns a grouping inside a sentence: the period of a date, otherwise the name of the column. */
function phraseOfGrouping(
  { id, level = 3 }: Grouping,
  columns: ReadonlyMap<string, ExploredColumn>,
): string {
  const column = columns.get(id);
  if (!column) return id;
  const period = column.type === "datetime" ? words.levels[level] : undefined;
  return period || inSentence(nameOf(column));
}

/** Returns a phrase with a small first letter, unless the language capitalizes nouns. */
const withSmallInitial = (text: string) =>
  words.hasCapitalNouns ? text : text.slice(0, 1).toLocaleLowerCase() + text.slice(1);
