import type { Words } from "./en.ts";

/** The words in Dutch. */
export const words: Words = {
  close: "Sluiten",
  cancel: "Annuleren",
  copy: "Kopiëren",
  done: "Gereed",
  makePair: "API-token maken",
  pairText:
    "Een sleutel en een token voor een van je programma’s, zoals je server. Het programma kan ermee alles wat jij kunt.",
  pairFor: "Doel",
  pairForHint: "Bijvoorbeeld: nachtelijke import.",
  pairDays: "Geldigheid in dagen",
  pairDaysHint: "Laat dit leeg voor de langste geldigheid die deze host toestaat.",
  pairAddresses: "Toegestane IP-adressen",
  pairAddressesHint:
    "Eén adres of netwerk per regel, zoals 203.0.113.0/24. Laat dit leeg om elk adres toe te staan.",
  pairMade: "Je API-token",
  pairOnce: "Kopieer nu de sleutel en het token. Ze worden maar één keer getoond.",
  copied: "Gekopieerd",
  copyRequestId: "Verzoek-ID kopiëren",
  failed: "Er is iets misgegaan",
  loading: "Laden",
  tryAgain: "Opnieuw proberen",
  noRights: "Je hebt hier geen toegang toe",
  noRightsText:
    "Vraag een eigenaar van je organisatie om toegang, of log in als een andere gebruiker.",
  undo: "Ongedaan maken",
  storedWithWarnings: "Het is opgeslagen, maar de host merkte iets op:",
};
