import type { Words } from "./en.ts";

/** The words in French. */
export const words: Words = {
  unreachable: "L’hôte est injoignable. Vérifiez la connexion, puis réessayez.",
  lost: "La connexion à l’hôte a été perdue. Posez de nouveau votre question.",
  status: (status) => `L’hôte a répondu avec le statut ${status}.`,
  noReason: (status) => `L’hôte a répondu avec le statut ${status} sans indiquer de raison.`,
  noPasskey: "Le navigateur n’a pas renvoyé de clé d’accès. Réessayez.",
};
