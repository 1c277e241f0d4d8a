import { counted } from "../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in Spanish. */
export const words: Words = {
  title: "Paneles",
  text: "Gráficos que van juntos, para usted y para las personas con quienes los comparte.",
  search: "Buscar paneles",
  searchHint: "Nombres, etiquetas, gráficos y columnas",
  name: "Nombre",
  create: "Nuevo panel",
  createAction: "Crear el panel",
  none: "Aún no hay paneles",
  noneText:
    "Cree uno con un solo botón a partir de un conjunto de datos, guarde un gráfico desde Explorar o empiece con un panel vacío.",
  openData: "Abrir Datos",
  nothingFound: "Ningún panel coincide",
  nothingFoundText:
    "Busque parte de un nombre, una etiqueta, el título de un gráfico o una columna.",
  showAll: "Mostrar todos los paneles",
  count: (count) => counted(count, "panel", "paneles"),
  more: "Mostrar más",
  which: "Mostrar",
  all: "Todos los paneles",
  mine: "Mis paneles",
  favorites: "Favoritos",
  collection: (name) => `Colección: ${name}`,
  order: "Ordenar por",
  orders: { changed: "Última modificación", created: "Más recientes", name: "Nombre" },
};
