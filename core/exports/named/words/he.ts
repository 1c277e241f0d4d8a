import type { ExportWords } from "../exportWords.ts";

/** The words of files in Hebrew. */
export const hebrew: ExportWords = {
  page: "עמוד {page} מתוך {count}",
  filters: "מסננים",
  comma: ", ",
  and: "וגם",
  or: "או",
  none: "(ללא)",
  isNot: "{name}: לא {values}",
  contains: "{name} מכיל {values}",
  lacks: "{name} לא מכיל {values}",
  startsWith: "{name} מתחיל ב־{values}",
  endsWith: "{name} מסתיים ב־{values}",
  relative: {
    last_now: "{period} עד עכשיו",
    last_available: "{period} עד הנתונים האחרונים",
    next_now: "{period} מעכשיו",
    ago: "לפני {period}",
    more_than_ago: "לפני יותר מ־{period}",
    or_more_ago: "לפני {period} או יותר",
    last_completed: "{period} עד עכשיו, תקופות שלמות",
    next_full: "{period} מעכשיו, תקופות שלמות",
    to_date: "{period} עד היום",
  },
};
