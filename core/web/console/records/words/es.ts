import { isolated } from "../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in Spanish. */
export const words: Words = {
  name: "Nombre",
  created: "Creación",
  rename: "Cambiar el nombre",
  save: "Guardar",
  deleteNamed: (name) => `Eliminar ${isolated(name)}`,
  deleted: (name) => `Se eliminó ${isolated(name)}`,
};
