import { counted, isolated } from "../../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in Spanish. */
export const words: Words = {
  title: "Integraciones",
  search: "Buscar integraciones",
  owner: "Propietario",
  none: "Aún no hay integraciones",
  noneText:
    "Una integración es un lugar donde se insertan paneles. Sus personas y grupos ven todo lo que se comparte con ella.",
  nothingFound: "Ninguna integración coincide",
  count: (count) => counted(count, "integración", "integraciones"),
  add: "Crear una integración",
  absent: "Esta integración no existe, o no tiene acceso a ella",
  ownedBy: (name) => `Propietario: ${isolated(name)}`,
  remove: "Eliminar la integración",
  removeText: (people = 0, groups = 0, shared = 0) =>
    `Esta integración comparte ${counted(
      shared,
      "conjunto de datos o panel",
      "conjuntos de datos y paneles",
    )} con ${counted(people, "persona", "personas")} y ${counted(
      groups,
      "grupo",
      "grupos",
    )}. Pierden el acceso a todo lo que solo se comparte a través de esta integración. Los tokens de inserción que la nombran dejan de mostrar datos. Esta acción no se puede deshacer.`,
};
