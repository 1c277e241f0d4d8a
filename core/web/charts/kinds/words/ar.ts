import type { KindWords } from "./kindWords.ts";

/** The words of late kinds in Arabic. */
export const words: KindWords = {
  leftOut: "{reason}: {count}",
  leftOutNamed: "{reason}: {count} ({names})",
  reasons: {
    withoutPlace: "بلا موقع على الخريطة",
    unreadable: "بإحداثيات غير مقروءة",
    outOfView: "خارج الخريطة",
    tooDetailed: "بأشكال مفصّلة أكثر من اللازم",
    samePlace: "خلف قيمة أكبر للموقع نفسه",
    notPositive: "ليست أكبر من 0",
    withoutValue: "بلا قيمة",
    withoutName: "بلا اسم",
    circular: "تدفقات دائرية",
    withoutRoom: "لا تتسع لها المساحة",
  },
  places: {
    zero: "{count} موقع",
    one: "موقع واحد",
    two: "موقعان",
    few: "{count} مواقع",
    many: "{count} موقعًا",
    other: "{count} موقع",
  },
  density: "نسبة من أعلى كثافة",
  notHere: "غير معروض هنا:",
  noAddress: "لا يحتوي هذا العنصر على عنوان يبدأ بـ https://.",
};
