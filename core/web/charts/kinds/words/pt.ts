import type { KindWords } from "./kindWords.ts";

/** The words of late kinds in Portuguese. */
export const words: KindWords = {
  leftOut: "{reason}: {count}",
  leftOutNamed: "{reason}: {count} ({names})",
  reasons: {
    withoutPlace: "sem lugar no mapa",
    unreadable: "com coordenadas ilegíveis",
    outOfView: "fora do mapa",
    tooDetailed: "com formas demasiado detalhadas",
    samePlace: "atrás de um valor maior do mesmo lugar",
    notPositive: "não superior a 0",
    withoutValue: "sem valor",
    withoutName: "sem nome",
    circular: "fluxos em círculo",
    withoutRoom: "sem espaço",
  },
  places: { one: "{count} lugar", other: "{count} lugares" },
  density: "proporção da densidade máxima",
  notHere: "Não mostrado aqui:",
  noAddress: "Este elemento não tem um endereço que comece com https://.",
};
