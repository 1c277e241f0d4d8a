import type { ExportWords } from "../exportWords.ts";

/** The words of files in Dutch. */
export const dutch: ExportWords = {
  page: "Pagina {page} van {count}",
  filters: "Filters",
  comma: ", ",
  and: "en",
  or: "of",
  none: "(geen)",
  isNot: "{name}: niet {values}",
  contains: "{name} bevat {values}",
  lacks: "{name} bevat niet {values}",
  startsWith: "{name} begint met {values}",
  endsWith: "{name} eindigt op {values}",
  relative: {
    last_now: "afgelopen {period}",
    last_available: "{period} tot de laatste gegevens",
    next_now: "komende {period}",
    ago: "{period} geleden",
    more_than_ago: "meer dan {period} geleden",
    or_more_ago: "{period} geleden of eerder",
    last_completed: "afgelopen {period}, volledig",
    next_full: "komende {period}, volledig",
    to_date: "{period} tot nu toe",
  },
};
