import type { KindWords } from "./kindWords.ts";

/** The words of late kinds in French. */
export const words: KindWords = {
  leftOut: "{reason} : {count}",
  leftOutNamed: "{reason} : {count} ({names})",
  reasons: {
    withoutPlace: "sans lieu sur la carte",
    unreadable: "avec des coordonnées illisibles",
    outOfView: "hors de la carte",
    tooDetailed: "avec des formes trop détaillées",
    samePlace: "derrière une valeur plus grande du même lieu",
    notPositive: "pas au-dessus de 0",
    withoutValue: "sans valeur",
    withoutName: "sans nom",
    circular: "flux en boucle",
    withoutRoom: "faute de place",
  },
  places: { one: "{count} lieu", other: "{count} lieux" },
  density: "part de la densité maximale",
  notHere: "Non affiché ici :",
  noAddress: "Cet élément n’a pas d’adresse qui commence par https://.",
};
