import { counted } from "../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in Spanish. */
export const words: Words = {
  title: "Plugins",
  intro:
    "Fuentes de datos que esta organización puede conectar, cada una con el resultado de su comprobación de conformidad.",
  name: "Nombre",
  slug: "Slug",
  protocol: "Protocolo",
  askedVersion: "Preguntar al plugin",
  registered: "Plugin registrado",
  state: "Verificación",
  checked: "Comprobado",
  never: "nunca",
  states: { verified: "verificado", failed: "con error", unchecked: "sin comprobar" },
  register: "Registrar un plugin",
  registerTitle: "Registrar un plugin",
  address: "Dirección",
  addressHint: "Dónde escucha el plugin, por ejemplo https://plugin.example.com.",
  secret: "Secreto",
  secretHint:
    "El host envía el secreto en la cabecera X-Secret y lo guarda cifrado. Déjelo vacío para que el host genere uno.",
  secretTitle: "El secreto del plugin",
  secretOnce: "Inicie su plugin con este secreto. Solo se muestra una vez.",
  newSecret: "Nuevo secreto",
  newSecretText:
    "El host y el plugin aceptan también el secreto anterior durante el tiempo que elija. Configure el nuevo secreto en su plugin dentro de ese plazo.",
  newSecretHint: "Déjelo vacío para generar uno.",
  keepFormer: "Aceptar el secreto anterior durante",
  hours: (count) =>
    count === 0
      ? "ningún tiempo"
      : count % 24 > 0
        ? counted(count, "hora", "horas")
        : counted(count / 24, "día", "días"),
  formerUntil: (at) => `El secreto anterior es válido hasta el ${at}.`,
  endFormer: "Revocarlo ahora",
  formerEnded: "El secreto anterior ya no funciona",
  newSecretOnce: "Configure este secreto en su plugin. Solo se muestra una vez.",
  secretChanged: "El secreto se ha cambiado",
  check: "Comprobar ahora",
  checking: "La comprobación ha empezado; su resultado aparecerá aquí.",
  proved: "Verificado",
  wrong: "Problemas",
  nothingWrong: "No se encontraron problemas.",
  rows: (rows, datasets) => `Comprobado con ${rows} filas de ${datasets} conjuntos de datos.`,
  kit: (version) => `Kit, versión ${version}`,
  noReport:
    "El kit aún no ha comprobado este plugin, así que el host vuelve a comprobar cada filtro.",
  gone: "Este complemento no existe, o usted no puede verlo.",
  empty: "No hay plugins registrados",
  emptyText:
    "Un plugin conecta una fuente de datos con Manifold. Registre un plugin por su dirección.",
  close: "Cerrar",
  calls: "Llamadas",
  callCount: "Llamadas",
  failures: "Con error",
  median: "Tiempo mediano",
  slow: "Percentil 95",
  lastCall: "Última llamada",
  since: (at) => `Desde que se inició este host, ${at}.`,
  report: "Informe",
  available: "Plugins disponibles",
  availableText:
    "Fuentes de datos que publican Manifold u otros. El kit de conformidad comprobó cada una antes de incluirla en la lista.",
  search: "Buscar plugins",
  found: (count) => (count === "1" ? "1 plugin" : `${count} plugins`),
  nothingFound: "Ningún plugin coincide",
  nothingFoundText: "Busque otra palabra, o escriba un plugin para su fuente.",
  listFailed: "No se pudo cargar la lista de plugins. Inténtelo de nuevo.",
  kinds: {
    "built-in": "integrado",
    connector: "conector",
    plugin: "plugin",
    example: "ejemplo",
  },
  by: (maintainer, license) => `De ${maintainer}, licencia ${license}`,
  provedCount: (count) => counted(count, "propiedad demostrada", "propiedades demostradas"),
  checkedVersion: (version, at) => `versión ${version}, comprobada el ${at}`,
  install: (name) => `npm install ${name}`,
  connect: (name) => `Conectar ${name}`,
  visit: (name) => `Sitio web de ${name}`,
  deprecated: "Obsoleto:",
};
