import { counted, isolated } from "../../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in Spanish. */
export const words: Words = {
  title: "Grupos",
  search: "Buscar grupos",
  suborganization: "Suborganización",
  people: "Personas",
  everyone: "todos",
  members: "miembros",
  none: "Aún no hay grupos",
  noneText: "Un grupo da a varias personas los mismos derechos y las mismas filas.",
  nothingFound: "Ningún grupo coincide",
  count: (count) => counted(count, "grupo", "grupos"),
  add: "Crear un grupo",
  absent: "Este grupo no existe, o no tiene acceso a él",
  public:
    "Todas las personas de la organización pertenecen a este grupo. No puede cambiar su nombre ni sus miembros.",
  within: (name) => `Grupo de ${isolated(name)}`,
  remove: "Eliminar el grupo",
  removeText: (people = 0, shared = 0) =>
    `Este grupo comparte ${counted(
      shared,
      "conjunto de datos o panel",
      "conjuntos de datos y paneles",
    )} con ${counted(people, "persona", "personas")}. Pierden el acceso a todo lo que solo se comparte a través de este grupo. No se elimina ningún dato. Esta acción no se puede deshacer.`,
};
