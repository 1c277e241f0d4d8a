import { counted, isolated } from "../../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in German. */
export const words: Words = {
  title: "Eigene Diagramme",
  search: "Eigene Diagramme suchen",
  name: "Name",
  author: "Autor",
  status: "Status",
  changed: "Geändert",
  none: "Noch keine eigenen Diagramme",
  noneText:
    "Ein eigenes Diagramm ist ein Skript, das die Zeilen eines Dashboard-Elements zeichnet. Eigene Diagramme werden über die API erstellt.",
  nothingFound: "Keine passenden eigenen Diagramme",
  count: (count) => counted(count, "Diagramm", "Diagramme"),
  statuses: {
    draft: "Entwurf: läuft nur für den Autor",
    changed: "Geändert: andere sehen die freigegebene Version",
    approved: "Freigegeben",
  },
  open: "Prüfen",
  review: (name) => `${isolated(name)} prüfen`,
  risk: "Ein eigenes Diagramm kann die Daten preisgeben, die es zeichnet. Sein Skript liest jede Zeile seines Elements, mit den Rechten der Person, die das Dashboard ansieht. Der Frame kann keine Anfragen senden, aber ein Browser kann Hostnamen nachschlagen, und ein Hostname kann Daten nach außen tragen. Geben Sie nur Skripte frei, die Sie gelesen haben, von Personen, denen Sie die Daten anvertrauen.",
  script: "Skript",
  saved: (at) => `Gespeichert am ${at}`,
  approve: "Diese Version freigeben",
  withdraw: "Freigabe zurückziehen",
  approved: (name) => `${isolated(name)} läuft jetzt für alle`,
  withdrawn: (name) => `${isolated(name)} läuft jetzt nur noch für den Autor`,
  absent: "Dieses Diagramm hat keine Versionen mehr",
};
