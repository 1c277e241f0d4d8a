import type { KindWords } from "./kindWords.ts";

/** The words of late kinds in Italian. */
export const words: KindWords = {
  leftOut: "{reason}: {count}",
  leftOutNamed: "{reason}: {count} ({names})",
  reasons: {
    withoutPlace: "senza un luogo sulla mappa",
    unreadable: "con coordinate illeggibili",
    outOfView: "fuori dalla mappa",
    tooDetailed: "con forme troppo dettagliate",
    samePlace: "dietro un valore maggiore dello stesso luogo",
    notPositive: "non superiore a 0",
    withoutValue: "senza valore",
    withoutName: "senza nome",
    circular: "flussi in circolo",
    withoutRoom: "senza spazio",
  },
  places: { one: "{count} luogo", other: "{count} luoghi" },
  density: "quota della densità massima",
  notHere: "Non mostrato qui:",
  noAddress: "Questo elemento non ha un indirizzo che inizia con https://.",
};
