import type { Words } from "./en.ts";

/** The words in German. */
export const words: Words = {
  close: "Schließen",
  cancel: "Abbrechen",
  copy: "Kopieren",
  done: "Fertig",
  makePair: "API-Token erstellen",
  pairText:
    "Ein Schlüssel und ein Token für eines Ihrer Programme, zum Beispiel Ihren Server. Es kann damit alles, was Sie können.",
  pairFor: "Zweck",
  pairForHint: "Zum Beispiel: nächtlicher Import.",
  pairDays: "Gültigkeit in Tagen",
  pairDaysHint: "Leer lassen für die längste Gültigkeit, die dieser Host erlaubt.",
  pairAddresses: "Erlaubte IP-Adressen",
  pairAddressesHint:
    "Eine Adresse oder ein Netz pro Zeile, zum Beispiel 203.0.113.0/24. Leer lassen, um alle Adressen zu erlauben.",
  pairMade: "Ihr API-Token",
  pairOnce: "Kopieren Sie jetzt den Schlüssel und das Token. Beide werden nur einmal angezeigt.",
  copied: "Kopiert",
  copyRequestId: "Anfrage-ID kopieren",
  failed: "Etwas ist schiefgegangen",
  loading: "Wird geladen",
  tryAgain: "Erneut versuchen",
  noRights: "Sie haben hierauf keinen Zugriff",
  noRightsText:
    "Bitten Sie einen Besitzer Ihrer Organisation um Zugriff, oder melden Sie sich als anderer Benutzer an.",
  undo: "Rückgängig",
  storedWithWarnings: "Es wurde gespeichert, aber der Host meldet:",
};
