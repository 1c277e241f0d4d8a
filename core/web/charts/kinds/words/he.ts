import type { KindWords } from "./kindWords.ts";

/** The words of late kinds in Hebrew. */
export const words: KindWords = {
  leftOut: "{reason}: {count}",
  leftOutNamed: "{reason}: {count} ({names})",
  reasons: {
    withoutPlace: "ללא מקום במפה",
    unreadable: "עם קואורדינטות לא קריאות",
    outOfView: "מחוץ למפה",
    tooDetailed: "עם צורות מפורטות מדי",
    samePlace: "מאחורי ערך גדול יותר של אותו מקום",
    notPositive: "לא מעל 0",
    withoutValue: "ללא ערך",
    withoutName: "ללא שם",
    circular: "זרימות מעגליות",
    withoutRoom: "ללא מקום בתרשים",
  },
  places: { one: "מקום אחד", two: "שני מקומות", other: "{count} מקומות" },
  density: "חלק מהצפיפות המרבית",
  notHere: "לא מוצג כאן:",
  noAddress: "לפריט הזה אין כתובת שמתחילה ב-https://.",
};
