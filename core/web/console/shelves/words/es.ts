import type { Words } from "./en.ts";

/** The words in Spanish. */
export const words: Words = {
  searchColumns: "Buscar columnas",
  kinds: { datetime: "Tiempo", hierarchy: "Categorías", numeric: "Números" },
  countRows: "Número de filas",
  shelves: { rows: "Filas", color: "Color", measures: "Valores", filters: "Filtros" },
  calculation: "Mostrar como…",
  value: "Valor",
  addColumn: "Añadir una columna",
  addColumnTo: (shelf: string) => `Añadir una columna a ${shelf}`,
  about: (column: string) => `Acerca de ${column}`,
  profile: (rows: string, distinct: string) => `${rows}, ${distinct} valores distintos.`,
  empty: (count: string) => `Vacíos: ${count}.`,
  row: "fila",
  rows: "filas",
  commonValues: "Valores más frecuentes",
  distribution: "Distribución",
  noValue: "Sin valor",
  addTo: (column: string) => `Añadir ${column} a`,
  remove: (column: string) => `Quitar ${column}`,
  change: (column: string) => `Cambiar ${column}`,
  levels: ["", "Año", "Trimestre", "Mes", "Semana", "Día", "Hora", "Minuto", "Segundo"],
  bin: (from: string, to: string, rows: string) => `${from} – ${to}: ${rows}`,
  described: (column: string, description: string) => `${column}: ${description}`,
  moreColumns: (count: string) => `${count} más. Búsquelas por su nombre.`,
};
