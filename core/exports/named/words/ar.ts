import type { ExportWords } from "../exportWords.ts";

/** The words of files in Arabic. */
export const arabic: ExportWords = {
  page: "الصفحة {page} من {count}",
  filters: "عوامل التصفية",
  comma: "، ",
  and: "و",
  or: "أو",
  none: "(لا شيء)",
  isNot: "{name}: ليس {values}",
  contains: "{name} يحتوي على {values}",
  lacks: "{name} لا يحتوي على {values}",
  startsWith: "{name} يبدأ بـ {values}",
  endsWith: "{name} ينتهي بـ {values}",
  relative: {
    last_now: "المدة الماضية: {period}",
    last_available: "آخر مدة ببيانات: {period}",
    next_now: "المدة القادمة: {period}",
    ago: "منذ {period}",
    more_than_ago: "منذ أكثر من: {period}",
    or_more_ago: "منذ {period} أو أكثر",
    last_completed: "المدة الماضية الكاملة: {period}",
    next_full: "المدة القادمة الكاملة: {period}",
    to_date: "حتى الآن: {period}",
  },
};
