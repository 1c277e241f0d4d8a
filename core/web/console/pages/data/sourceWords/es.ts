import type { SourceWords } from "./en.ts";

/** The words in Spanish. */
export const words: SourceWords = {
  storedTitle: "Guardado en este host",
  storedText:
    "Sus filas se importaron o se enviaron, así que no hay fuente con la que sincronizar.",
  synchronization: "Sincronización",
  connection: "Conexión",
  table: "Tabla",
  statement: "una instrucción SQL",
  lastSync: "Última sincronización",
  lastAttempt: "Último intento",
  byConnection: "Las columnas se sincronizan con la fuente según la programación de la conexión",
  byItself: (hours) => `Las columnas se sincronizan con la fuente cada ${hours} horas`,
  synchronizeNow: "Sincronizar ahora",
  unchanged: "Las columnas no han cambiado.",
  notSynced: (reason) => `La sincronización falló: ${reason}`,
  changes: {
    added: (count) => `añadidas: ${count}`,
    missing: (count) => `faltan: ${count}`,
    returned: (count) => `recuperadas: ${count}`,
    retyped: (count) => `con un tipo nuevo: ${count}`,
  },
  acceleration: "Aceleración",
  accelerationText:
    "Cada consulta va a la fuente. Una copia almacenada aquí responde en milisegundos.",
  start: "Copiar las filas aquí",
  startText:
    "Las consultas usan la copia en cuanto está completa. Los derechos y los filtros de filas no cambian.",
  stop: "Eliminar la copia",
  stopText: "Las consultas vuelven a ir a la fuente. Se eliminarán la copia y su programación.",
  load: "Cada ejecución copia",
  loads: {
    full: "Todas las filas cada vez",
    delta: "Solo las filas nuevas y modificadas",
    "full-delta": "Las filas nuevas y modificadas, y todas las filas una vez al día",
  },
  states: { waiting: "en espera", copying: "copiando", ready: "lista", failed: "con error" },
  deltaColumn: "Columna con la hora del último cambio",
  every: "Copiar cada",
  unit: "Unidad",
  units: { minute: "minutos", hour: "horas", day: "días", week: "semanas", month: "meses" },
  rows: "Filas",
  size: "Tamaño",
  asOf: "Filas a fecha de",
  fullAt: "Última copia completa",
  next: "Próxima copia",
  copied: (rows, share) =>
    share === null
      ? `${rows} filas copiadas hasta ahora`
      : `${rows} filas copiadas hasta ahora, cerca del ${Math.floor(share * 100)} %`,
  history: "Cambios",
  actions: {
    create: "creado",
    update: "modificado",
    delete: "eliminado",
    associate: "compartido o enlazado",
    dissociate: "dejado de compartir o enlazar",
  },
  members: {
    name: "nombre",
    description: "descripción",
    contents: "gráficos",
    custom_metadata: "metadatos",
    file_settings: "ajustes del archivo",
    source_sheet: "tabla",
    account_id: "conexión",
    meta_sync_interval: "sincronización",
  },
};
