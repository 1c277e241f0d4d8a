import { counted } from "../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in Spanish. */
export const words: Words = {
  boardName: (dataset) => `Resumen de ${dataset}`,
  place: "lugar",
  rows: "Filas",
  latestRows: "Filas más recientes",
  aggregated: {
    sum: (column) => `Total de ${column}`,
    average: (column) => `Media de ${column}`,
    median: (column) => `Mediana de ${column}`,
    min: (column) => `Mínimo de ${column}`,
    max: (column) => `Máximo de ${column}`,
  },
  share: (column) => `Proporción de ${column}`,
  distinct: (column) => `Valores distintos de ${column}`,
  by: (measure, dimension) => `${measure} por ${dimension}`,
  byTwo: (measure, one, other) => `${measure} por ${one} y ${other}`,
  topOf: (count, measure, dimension) => `${measure} por ${dimension}, los ${count} primeros`,
  distribution: (column) => `Distribución de ${column}`,
  before: (title, day) => `${title}, antes del ${day}`,
  periods: {
    1: "año",
    2: "trimestre",
    3: "mes",
    4: "semana",
    5: "día",
    6: "hora",
    7: "minuto",
    8: "segundo",
  },
  made: (items) =>
    `Se ${items === 1 ? "creó" : "crearon"} ${counted(items, "gráfico", "gráficos")} a partir de los datos. Elija Editar para cambiarlos.`,
  cut: (shown, all) =>
    `Los gráficos usan las primeras ${shown} de ${counted(all, "columna", "columnas")}.`,
  undone: "Se eliminó el panel.",
  noRows: "Todavía no hay nada que mostrar: el conjunto de datos no tiene filas.",
};
