import { counted } from "../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in Spanish. */
export const words: Words = {
  title: "Inicio",
  welcome: (name: string) => `Le damos la bienvenida, ${name}`,
  needsYou: "Requiere su atención",
  allWell: "Nada requiere su atención.",
  recents: "Abiertos recientemente",
  recentKinds: { dashboard: "Panel", dataset: "Conjunto de datos", alert: "Alerta" },
  favorites: "Favoritos",
  favoriteDatasets: "Conjuntos de datos favoritos",
  dashboards: "Paneles",
  datasets: "Conjuntos de datos",
  alerts: "Alertas",
  all: "Mostrar todo",
  allOf: (list: string) => `Mostrar todo: ${list}`,
  noDashboards: "Aún no hay paneles.",
  noAlerts: "Aún no hay alertas.",
  startDashboard: "Crear uno a partir de un conjunto de datos",
  rows: (count: number) => counted(count, "fila", "filas"),
  changed: (ago: string) => `modificado ${ago}`,
  problems: {
    alert: "Error en la alerta",
    firing: "Alerta activada",
    account: "Conexión rechazada",
    sync: "Sin sincronizar",
    channel: "Canal en pausa",
  },
  begin: "Añada sus primeros datos",
  beginText:
    "Hay tres formas de añadir datos. Con cada una obtiene un conjunto de datos que puede explorar de inmediato.",
  ways: [
    {
      title: "Importar un archivo",
      text: "CSV, XLSX, Parquet o JSON. Elija un archivo o suéltelo en cualquier lugar de la página. Usted revisa los tipos de las columnas antes de guardar nada.",
      action: "Importar un archivo",
      href: "/data/upload",
    },
    {
      title: "Conectar una fuente",
      text: "PostgreSQL, MySQL, ClickHouse, DuckDB, archivos, una API o su propio plugin.",
      action: "Conectar una fuente",
      href: "/data/connect",
    },
  ],
  push: "Enviar mediante la API",
  pushText:
    "El host detecta los tipos de las columnas. Cree un token de API para completar el comando siguiente.",
  makePair: "Crear un token de API",
  copy: "Copiar",
};
