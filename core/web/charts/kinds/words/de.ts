import type { KindWords } from "./kindWords.ts";

/** The words of late kinds in German. */
export const words: KindWords = {
  leftOut: "{reason}: {count}",
  leftOutNamed: "{reason}: {count} ({names})",
  reasons: {
    withoutPlace: "ohne Ort auf der Karte",
    unreadable: "mit unlesbaren Koordinaten",
    outOfView: "außerhalb der Karte",
    tooDetailed: "mit zu detaillierten Formen",
    samePlace: "hinter einem größeren Wert desselben Orts",
    notPositive: "nicht über 0",
    withoutValue: "ohne Wert",
    withoutName: "ohne Namen",
    circular: "Flüsse im Kreis",
    withoutRoom: "aus Platzmangel ausgelassen",
  },
  places: { one: "{count} Ort", other: "{count} Orte" },
  density: "Anteil an der höchsten Dichte",
  notHere: "Hier nicht gezeigt:",
  noAddress: "Dieses Element hat keine Adresse, die mit https:// beginnt.",
};
