import type { KindWords } from "./kindWords.ts";

/** The words of late kinds in Spanish. */
export const words: KindWords = {
  leftOut: "{reason}: {count}",
  leftOutNamed: "{reason}: {count} ({names})",
  reasons: {
    withoutPlace: "sin lugar en el mapa",
    unreadable: "con coordenadas ilegibles",
    outOfView: "fuera del mapa",
    tooDetailed: "con formas demasiado detalladas",
    samePlace: "detrás de un valor mayor del mismo lugar",
    notPositive: "no por encima de 0",
    withoutValue: "sin valor",
    withoutName: "sin nombre",
    circular: "flujos en círculo",
    withoutRoom: "sin espacio",
  },
  places: { one: "{count} lugar", other: "{count} lugares" },
  density: "proporción de la densidad máxima",
  notHere: "No se muestra aquí:",
  noAddress: "Este elemento no tiene una dirección que empiece por https://.",
};
