import type { ExportWords } from "../exportWords.ts";

/** The words of files in Japanese. */
export const japanese: ExportWords = {
  page: "{page} / {count} ページ",
  filters: "フィルター",
  comma: "、",
  and: "かつ",
  or: "または",
  none: "(なし)",
  isNot: "{name}：{values} 以外",
  contains: "{name}に{values}を含む",
  lacks: "{name}に{values}を含まない",
  startsWith: "{name}が{values}で始まる",
  endsWith: "{name}が{values}で終わる",
  relative: {
    last_now: "直近 {period}",
    last_available: "データのある直近 {period}",
    next_now: "今後 {period}",
    ago: "{period}前",
    more_than_ago: "{period}より前",
    or_more_ago: "{period}以上前",
    last_completed: "直近の完了した {period}",
    next_full: "今後の完全な {period}",
    to_date: "現在までの {period}",
  },
};
