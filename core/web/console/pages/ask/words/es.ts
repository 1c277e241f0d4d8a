import { counted } from "../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in Spanish. */
export const words: Words = {
  title: "Preguntar",
  intro:
    "Pregunte con sus propias palabras. Cada respuesta incluye la consulta en la que se basa, que puede leer, cambiar y guardar.",
  question: "Su pregunta",
  questionHint: "Por ejemplo: ventas por región el año pasado",
  datasets: "Sobre",
  anyDataset: "Todos los conjuntos de datos que puede ver",
  ofDashboard: (name: string) => `Datos de ${name}`,
  ask: "Preguntar",
  asking: "El modelo está escribiendo una consulta",
  writing: "El modelo está explicando la respuesta",
  stopped: "Detenido. Esta respuesta no se guarda en la conversación.",
  stop: "Detener",
  unavailable: "No hay ningún modelo configurado",
  unavailableText:
    "El operador de este host puede configurar uno con MANIFOLD_AI_URL, MANIFOLD_AI_KEY y MANIFOLD_AI_MODEL. Todo lo demás funciona sin modelo.",
  explore: "Explorar datos",
  you: "Usted:",
  choose: "Elija una opción",
  struck: (count: number) =>
    count === 1
      ? "Los datos no respaldan un número, que se reemplazó por [?]."
      : `Los datos no respaldan ${count} números, que se reemplazaron por [?].`,
  cut: "La respuesta tiene más filas de las que se muestran aquí.",
  query: "La consulta",
  showQuery: "Mostrar la consulta",
  hideQuery: "Ocultar la consulta",
  queryHint: "Edite la consulta y ejecútela de nuevo. Se ejecuta con sus propios permisos.",
  askAgain: "Ejecutar esta consulta",
  notJson: "La consulta debe ser un objeto JSON.",
  openInExplore: "Abrir en Explorar",
  keep: "Guardar en un panel",
  kept: (name: string) => `Guardado en ${name}`,
  notKept: (problem: string) => `Esta consulta no se puede guardar en un panel: ${problem}.`,
  answer: "Respuesta",
  table: "Filas",
  rows: "Filas",
  formula: "Fórmula",
  noRows: "Ninguna fila coincide.",
  describe: {
    title: (name: string) => `Describir ${name}`,
    intro:
      "Un modelo lee los nombres y sugiere descripciones. Solo se guardan las sugerencias que usted acepta.",
    suggest: "Sugerir descripciones",
    suggesting: "El modelo está escribiendo descripciones",
    of: "Describe",
    now: "Ahora",
    suggested: "Sugerencia",
    accept: "Aceptar",
    acceptThis: (name: string) => `Aceptar la descripción de ${name}`,
    none: "–",
    dataset: "el conjunto de datos",
    store: (count: number) => `Guardar ${counted(count, "descripción", "descripciones")}`,
    stored: (count: number) => counted(count, "descripción guardada", "descripciones guardadas"),
    same: "Todas las sugerencias coinciden con las descripciones actuales.",
    all: "Aceptar todo",
    gone: "No se encontró el conjunto de datos",
    goneText: "Se eliminó, o usted no tiene acceso.",
    back: "Volver al conjunto de datos",
  },
};
