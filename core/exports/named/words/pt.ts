import type { ExportWords } from "../exportWords.ts";

/** The words of files in Portuguese. */
export const portuguese: ExportWords = {
  page: "Página {page} de {count}",
  filters: "Filtros",
  comma: ", ",
  and: "e",
  or: "ou",
  none: "(nenhum)",
  isNot: "{name}: não {values}",
  contains: "{name} contém {values}",
  lacks: "{name} não contém {values}",
  startsWith: "{name} começa por {values}",
  endsWith: "{name} termina em {values}",
  relative: {
    last_now: "{period} até agora",
    last_available: "{period} até aos últimos dados",
    next_now: "{period} a partir de agora",
    ago: "há {period}",
    more_than_ago: "há mais de {period}",
    or_more_ago: "há {period} ou mais",
    last_completed: "{period} até agora, períodos completos",
    next_full: "{period} a partir de agora, períodos completos",
    to_date: "{period} até hoje",
  },
};
