import type { ExportWords } from "../exportWords.ts";

/** The words of files in German. */
export const german: ExportWords = {
  page: "Seite {page} von {count}",
  filters: "Filter",
  comma: ", ",
  and: "und",
  or: "oder",
  none: "(keine)",
  isNot: "{name}: nicht {values}",
  contains: "{name} enthält {values}",
  lacks: "{name} enthält nicht {values}",
  startsWith: "{name} beginnt mit {values}",
  endsWith: "{name} endet mit {values}",
  relative: {
    last_now: "{period} bis jetzt",
    last_available: "{period} bis zu den letzten Daten",
    next_now: "{period} ab jetzt",
    ago: "{period} zurück",
    more_than_ago: "mehr als {period} zurück",
    or_more_ago: "{period} oder mehr zurück",
    last_completed: "{period} bis jetzt, vollständig",
    next_full: "{period} ab jetzt, vollständig",
    to_date: "{period} bis heute",
  },
};
