import type { Words } from "./en.ts";

/** The words in Spanish. */
export const words: Words = {
  favorites: "Favoritos",
  star: (name) => `Añadir ${name} a favoritos`,
  unstar: (name) => `Quitar ${name} de favoritos`,
  more: (name) => `Acciones para ${name}`,
  changed: (ago) => `Modificado ${ago}`,
  byOwner: (owner, ago) => `${owner}, modificado ${ago}`,
  emptyBoard: "Aún no hay gráficos",
  noPicture: "Sin vista previa",
  open: "Abrir",
  edit: "Editar",
  rename: "Cambiar el nombre",
  renameTitle: "Cambiar el nombre del panel",
  name: "Nombre",
  save: "Guardar",
  duplicate: "Duplicar",
  copyOf: (name) => `Copia de ${name}`,
  duplicated: (name) => `Se creó «${name}».`,
  collections: "Colecciones",
  collectionsTitle: "Mover a colecciones",
  collectionsText:
    "Elija las colecciones que contienen este panel. Una colección no da a nadie el derecho de verlo.",
  newCollection: "Nueva colección",
  noCollections: "Aún no hay colecciones.",
  tags: "Etiquetas",
  tagsTitle: "Etiquetas",
  tagsHint:
    "Separe las etiquetas con comas. Todas las personas que pueden ver el panel lo encuentran por sus etiquetas.",
  usage: "Uso por mes",
  remove: "Eliminar",
  removeAction: "Eliminar el panel",
  removeTitle: (name) => `¿Eliminar ${name}?`,
  removeText: "También se eliminan sus versiones, vistas guardadas y enlaces privados.",
  removed: (name) => `Se eliminó «${name}».`,
};
