import type { ExportWords } from "../exportWords.ts";

/** The words of files in French. */
export const french: ExportWords = {
  page: "Page {page} sur {count}",
  filters: "Filtres",
  comma: ", ",
  and: "et",
  or: "ou",
  none: "(aucun)",
  isNot: "{name} : pas {values}",
  contains: "{name} contient {values}",
  lacks: "{name} ne contient pas {values}",
  startsWith: "{name} commence par {values}",
  endsWith: "{name} se termine par {values}",
  relative: {
    last_now: "depuis {period}",
    last_available: "{period} jusqu’aux dernières données",
    next_now: "dans les {period} à venir",
    ago: "il y a {period}",
    more_than_ago: "il y a plus de {period}",
    or_more_ago: "il y a {period} ou plus",
    last_completed: "depuis {period}, périodes complètes",
    next_full: "dans les {period} à venir, périodes complètes",
    to_date: "{period} à ce jour",
  },
};
