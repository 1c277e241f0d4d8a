import type { ExportWords } from "../exportWords.ts";

/** The words of files in Spanish. */
export const spanish: ExportWords = {
  page: "Página {page} de {count}",
  filters: "Filtros",
  comma: ", ",
  and: "y",
  or: "o",
  none: "(ninguno)",
  isNot: "{name}: no {values}",
  contains: "{name} contiene {values}",
  lacks: "{name} no contiene {values}",
  startsWith: "{name} empieza por {values}",
  endsWith: "{name} termina en {values}",
  relative: {
    last_now: "desde hace {period}",
    last_available: "{period} hasta los últimos datos",
    next_now: "{period} a partir de ahora",
    ago: "hace {period}",
    more_than_ago: "hace más de {period}",
    or_more_ago: "hace {period} o más",
    last_completed: "desde hace {period}, periodos completos",
    next_full: "{period} a partir de ahora, periodos completos",
    to_date: "{period} hasta hoy",
  },
};
