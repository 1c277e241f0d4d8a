import { counted, isolated } from "../../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in Spanish. */
export const words: Words = {
  title: "Suborganizaciones",
  intro:
    "Las personas de una suborganización no ven las personas, los grupos ni las etiquetas de otras suborganizaciones, y no pueden compartir nada con ellas. Una suborganización existe mientras haya personas en ella.",
  search: "Buscar suborganizaciones",
  name: "Nombre",
  people: "Personas",
  groups: "Grupos",
  none: "Aún no hay suborganizaciones",
  noneText:
    "Use suborganizaciones para separar clientes o departamentos. Las personas de una no ven nada de las otras.",
  nothingFound: "Ninguna suborganización coincide",
  count: (count) => counted(count, "suborganización", "suborganizaciones"),
  add: "Crear una suborganización",
  addAction: "Añadir a su primera persona",
  change: "Cambiar",
  move: "Trasladar personas",
  moveNamed: (name) => `Trasladar a las personas de ${isolated(name)}`,
  moveTo: "Trasladar a la suborganización",
  moveHint:
    "Déjelo vacío para trasladarlas a toda la organización, donde ven todas las personas, grupos y etiquetas.",
  moveText: (count, name) =>
    `${counted(count, "persona deja", "personas dejan")} ${isolated(name)}, que entonces deja de existir. Los grupos, etiquetas y temas creados en ella conservan su nombre. Lo que se comparte con las personas sigue compartido.`,
  moving: (done, count) => `${done} de ${count} personas trasladadas`,
  moved: (count) => counted(count, "persona trasladada", "personas trasladadas"),
  same: "Ya están en esta suborganización.",
};
