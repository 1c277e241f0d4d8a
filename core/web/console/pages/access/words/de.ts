import type { Words } from "./en.ts";

/** The words in German. */
export const words: Words = {
  title: "Personen und Zugriff",
  intro:
    "Sehen Sie, wer zu Ihrer Organisation gehört, was Personen und Tokens sehen können und wer was geändert hat.",
  views: "Abschnitte von Personen und Zugriff",
  tabs: {
    people: "Personen",
    groups: "Gruppen",
    suborganizations: "Unterorganisationen",
    integrations: "Integrationen",
    signon: "Anmeldung",
    tokens: "Tokens",
    charts: "Diagramme",
    audit: "Audit",
    usage: "Nutzung",
  },
  forOwners: "Nur Besitzer der Organisation können dies sehen",
  forOwnersText:
    "Bitten Sie einen Besitzer Ihrer Organisation, es für Sie nachzusehen oder Sie zum Besitzer zu machen.",
  toAccess: "Personen und Zugriff",
};
