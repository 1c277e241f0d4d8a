import { counted } from "../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in Dutch. */
export const words: Words = {
  title: "Vragen",
  intro:
    "Stel een vraag in je eigen woorden. Bij elk antwoord hoort de query erachter, die je kunt lezen, aanpassen en opslaan.",
  question: "Je vraag",
  questionHint: "Bijvoorbeeld: verkoop per regio vorig jaar",
  datasets: "Over",
  anyDataset: "Alle datasets die je kunt zien",
  ofDashboard: (name: string) => `Gegevens van ${name}`,
  ask: "Vragen",
  asking: "Het model schrijft een query",
  writing: "Het model licht het antwoord toe",
  stopped: "Gestopt. Dit antwoord wordt niet bewaard in het gesprek.",
  stop: "Stoppen",
  unavailable: "Er is geen model ingesteld",
  unavailableText:
    "De beheerder van deze host kan er een instellen met MANIFOLD_AI_URL, MANIFOLD_AI_KEY en MANIFOLD_AI_MODEL. Al het andere werkt zonder model.",
  explore: "Gegevens verkennen",
  you: "Jij:",
  choose: "Maak een keuze",
  struck: (count: number) =>
    count === 1
      ? "Eén getal wordt niet door de gegevens ondersteund en is vervangen door [?]."
      : `${count} getallen worden niet door de gegevens ondersteund en zijn vervangen door [?].`,
  cut: "Het antwoord heeft meer rijen dan hier staan.",
  query: "De query",
  showQuery: "Query tonen",
  hideQuery: "Query verbergen",
  queryHint: "Pas de query aan en voer hem opnieuw uit. Daarbij gelden je eigen rechten.",
  askAgain: "Deze query uitvoeren",
  notJson: "De query moet een JSON-object zijn.",
  openInExplore: "Openen in Verkennen",
  keep: "Opslaan in dashboard",
  kept: (name: string) => `Opgeslagen in ${name}`,
  notKept: (problem: string) =>
    `Deze query kan niet in een dashboard worden opgeslagen: ${problem}.`,
  answer: "Antwoord",
  table: "Rijen",
  rows: "Rijen",
  formula: "Formule",
  noRows: "Geen overeenkomende rijen.",
  describe: {
    title: (name: string) => `${name} beschrijven`,
    intro:
      "Een model leest de namen en stelt beschrijvingen voor. Alleen de voorstellen die je aanvaardt, worden opgeslagen.",
    suggest: "Beschrijvingen voorstellen",
    suggesting: "Het model schrijft beschrijvingen",
    of: "Beschrijft",
    now: "Nu",
    suggested: "Voorstel",
    accept: "Aanvaarden",
    acceptThis: (name: string) => `Beschrijving van ${name} aanvaarden`,
    none: "–",
    dataset: "de dataset",
    store: (count: number) => `${counted(count, "beschrijving", "beschrijvingen")} opslaan`,
    stored: (count: number) => `${counted(count, "beschrijving", "beschrijvingen")} opgeslagen`,
    same: "Elk voorstel is gelijk aan de huidige beschrijving.",
    all: "Alles aanvaarden",
    gone: "Dataset niet gevonden",
    goneText: "De dataset is verwijderd, of je hebt er geen toegang toe.",
    back: "Terug naar de dataset",
  },
};
