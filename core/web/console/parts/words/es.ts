import type { Words } from "./en.ts";

/** The words in Spanish. */
export const words: Words = {
  close: "Cerrar",
  cancel: "Cancelar",
  copy: "Copiar",
  done: "Listo",
  makePair: "Crear un token de API",
  pairText:
    "Una clave y un token para uno de sus programas, por ejemplo su servidor. Con ellos puede hacer todo lo que usted puede hacer.",
  pairFor: "Finalidad",
  pairForHint: "Por ejemplo: importación nocturna.",
  pairDays: "Validez en días",
  pairDaysHint: "Déjelo vacío para la validez más larga que permite este host.",
  pairAddresses: "Direcciones IP permitidas",
  pairAddressesHint:
    "Una dirección o red por línea, como 203.0.113.0/24. Déjelo vacío para permitir cualquier dirección.",
  pairMade: "Su token de API",
  pairOnce: "Copie ahora la clave y el token. Solo se muestran una vez.",
  copied: "Copiado",
  copyRequestId: "Copiar el ID de la solicitud",
  failed: "Se produjo un error",
  loading: "Cargando",
  tryAgain: "Reintentar",
  noRights: "No tiene acceso a este contenido",
  noRightsText: "Pida acceso a un propietario de su organización o inicie sesión con otro usuario.",
  undo: "Deshacer",
  storedWithWarnings: "Se guardó, pero el host avisa de lo siguiente:",
};
