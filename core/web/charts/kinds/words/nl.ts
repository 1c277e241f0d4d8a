import type { KindWords } from "./kindWords.ts";

/** The words of late kinds in Dutch. */
export const words: KindWords = {
  leftOut: "{reason}: {count}",
  leftOutNamed: "{reason}: {count} ({names})",
  reasons: {
    withoutPlace: "zonder plaats op de kaart",
    unreadable: "met onleesbare coördinaten",
    outOfView: "buiten de kaart",
    tooDetailed: "met te gedetailleerde vormen",
    samePlace: "achter een grotere waarde van dezelfde plaats",
    notPositive: "niet boven 0",
    withoutValue: "zonder waarde",
    withoutName: "zonder naam",
    circular: "stromen in een kring",
    withoutRoom: "zonder ruimte",
  },
  places: { one: "{count} plaats", other: "{count} plaatsen" },
  density: "aandeel van de hoogste dichtheid",
  notHere: "Hier niet getoond:",
  noAddress: "Dit onderdeel heeft geen adres dat met https:// begint.",
};
