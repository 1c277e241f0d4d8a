import type { Words } from "./en.ts";

/** The words in Spanish. */
export const words: Words = {
  rights: {
    read: "puede ver",
    use: "puede ver",
    modify: "puede cambiar",
    own: "es propietario",
  },
  noValue: "sin valor",
  isOneOf: (column, values, more) =>
    `${column} es ${
      more > 0 ? `${values.join(", ")} o uno de ${more} más` : values.join(" o ") || "nada"
    }`,
  personal: (column, parameter) =>
    `${column} es «${parameter.replace(/^metadata\./, "")}» de la persona`,
  viewAs: "Ver como",
  viewAsTitle: (name) => `Como lo ve ${name}`,
  viewAsText:
    "Se muestra con una clave temporal que ve las mismas filas y no cambia nada. Caduca a los 15 minutos.",
  viewAsClosed: (name) => `${name} no ve este panel.`,
  viewAsMissing: (name, datasets) =>
    `${name} no ve estos conjuntos de datos, así que sus gráficos no tienen datos: ${datasets}.`,
  viewAsForeign: (datasets) =>
    `Usted no es propietario de estos conjuntos de datos, así que sus gráficos quedan vacíos aquí: ${datasets}.`,
  viewAsWithheld: (name, datasets) =>
    `Las filas de estos conjuntos de datos pueden depender de la persona, así que sus gráficos quedan vacíos aquí: ${datasets}. Un propietario de la organización puede verlos como ${name}.`,
  viewAsNarrower:
    "Aquí también se aplican los filtros de su organización para páginas incrustadas, así que pueden faltar filas.",
  close: "Cerrar",
  modes: {
    all: "Todas las filas",
    some: "Filas donde",
    kept: "Dejar las filas como están",
    none: "No compartido",
  },
  column: "Columna",
  chooseColumn: "Elegir una columna",
  unseenColumn: "una columna que no puede ver",
  daysInUtc: "Los días empiezan a medianoche UTC, para todos.",
  noColumns: "Este conjunto de datos no tiene ninguna columna con la que elegir filas.",
  inviteTitle: "Invitar a una persona",
  invite: "Invitar",
  email: "Correo electrónico",
  name: "Nombre",
  inviteNow:
    "Enviar un enlace para elegir una contraseña. No hace falta para quien inicia sesión con un proveedor.",
  invited: (email) => `Se envió una invitación a ${email}`,
  linkFor: (name) => `Enlace para ${name}`,
  linkText:
    "Este host no pudo enviar el correo, así que entregue este enlace usted mismo. Con él, la persona elige una contraseña. Funciona una vez, durante siete días, y solo se muestra ahora.",
};
