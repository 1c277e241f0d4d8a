import type { Words } from "./en.ts";

/** The words in Spanish. */
export const words: Words = {
  title: "Uso",
  intro:
    "El uso de su organización, sumando todas las personas, tokens y hosts. El operador del host fija los límites.",
  again: "Actualizar",
  names: {
    rows: "Filas en conjuntos de datos",
    bytes: "Tamaño de los valores enviados",
    queries: "Consultas simultáneas",
    scanned_rows: "Filas leídas por consultas",
    pushes: "Envíos",
    jobs: "Tareas: alertas, paneles enviados, exportaciones, comprobaciones de plugins",
    ai_tokens: "Tokens del asistente",
  },
  spans: { stored: "en total", now: "ahora", minute: "este minuto", day: "hoy, UTC" },
  used: (used, hard) => `${used} de ${hard}`,
  noLimit: "sin límite",
  states: {
    within: "Dentro del límite",
    soft: "Por encima del nivel de aviso",
    hard: "En el límite",
  },
  soft: (soft) => `Aviso por encima de ${soft}`,
  refused: "Se rechaza cualquier uso adicional.",
  resets: (time) => `Se reinicia a las ${time}.`,
  stays: "Elimine filas o conjuntos de datos, o pida al operador del host un límite más alto.",
  waits: "Las consultas siguientes esperan a que terminen otras.",
  activity: "Personas y actividad",
  activityIntro:
    "Cada persona cuenta una vez por fila, por muchas veces que haya venido y sea cual sea el host que respondió. Los meses están en UTC.",
  ofDashboard: (name) => `Solo el panel ${name}.`,
  ofAll: "Mostrar todo",
  by: "Dividir por",
  month: "Mes",
  parts: {
    month: "Mes",
    suborganization: "Suborganización",
    integration: "Integración",
    dashboard: "Panel",
    viewer: "Persona",
  },
  none: {
    month: "–",
    suborganization: "Toda la organización",
    integration: "Sin integración",
    dashboard: "Sin panel",
    viewer: "Alguien que se eliminó o a quien usted no puede ver",
  },
  acts: {
    viewer_count: "Personas",
    view_count: "Vistas de paneles",
    question_count: "Preguntas",
    export_count: "Exportaciones",
    model_call_count: "Llamadas al modelo",
  },
  noActivity: "Sin actividad en este mes",
  noActivityText:
    "Las vistas, preguntas, exportaciones y llamadas al modelo aparecen aquí en segundos.",
  cut: (shown, count) => `Las primeras ${shown} de ${count} filas. La API las devuelve todas.`,
  lost: (count) =>
    `${count} acciones no se pudieron contar, porque demasiadas esperaban al catálogo.`,
  bar: (name, used, hard, soft) =>
    `${name}: ${used} de ${hard} usados, aviso por encima de ${soft}`,
};
