import type { ExportWords } from "../exportWords.ts";

/** The words of files in Italian. */
export const italian: ExportWords = {
  page: "Pagina {page} di {count}",
  filters: "Filtri",
  comma: ", ",
  and: "e",
  or: "o",
  none: "(nessuno)",
  isNot: "{name}: non {values}",
  contains: "{name} contiene {values}",
  lacks: "{name} non contiene {values}",
  startsWith: "{name} inizia con {values}",
  endsWith: "{name} termina con {values}",
  relative: {
    last_now: "{period} fino a ora",
    last_available: "{period} fino agli ultimi dati",
    next_now: "{period} a partire da ora",
    ago: "{period} fa",
    more_than_ago: "più di {period} fa",
    or_more_ago: "{period} fa o prima",
    last_completed: "{period} fino a ora, periodi completi",
    next_full: "{period} a partire da ora, periodi completi",
    to_date: "{period} a oggi",
  },
};
