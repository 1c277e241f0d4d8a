import type { Words } from "./en.ts";

/** The words in German. */
export const words: Words = {
  unreachable:
    "Der Host ist nicht erreichbar. Prüfen Sie die Verbindung, und versuchen Sie es erneut.",
  lost: "Die Verbindung zum Host ist abgebrochen. Stellen Sie Ihre Frage erneut.",
  status: (status) => `Der Host hat geantwortet mit Status ${status}.`,
  noReason: (status) => `Der Host hat geantwortet mit Status ${status} und ohne Begründung.`,
  noPasskey: "Der Browser hat keinen Passkey zurückgegeben. Versuchen Sie es erneut.",
};
