import type { Words } from "./en.ts";

/** The words in Spanish. */
export const words: Words = {
  unreachable: "No se puede contactar con el host. Compruebe la conexión y vuelva a intentarlo.",
  lost: "Se perdió la conexión con el host. Vuelva a hacer su pregunta.",
  status: (status) => `El host respondió con el estado ${status}.`,
  noReason: (status) => `El host respondió con el estado ${status} y no dio ningún motivo.`,
  noPasskey: "El navegador no devolvió una llave de acceso. Inténtelo de nuevo.",
};
