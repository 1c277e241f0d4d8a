import type { Words } from "./en.ts";

/** The words in Dutch. */
export const words: Words = {
  title: "Gebruik",
  intro:
    "Het gebruik van je organisatie, over alle mensen, tokens en hosts samen. De beheerder van de host stelt de limieten in.",
  again: "Vernieuwen",
  names: {
    rows: "Rijen in datasets",
    bytes: "Grootte van verzonden waarden",
    queries: "Gelijktijdige query’s",
    scanned_rows: "Rijen gelezen door query’s",
    pushes: "Verzendingen",
    jobs: "Taken: waarschuwingen, verzonden dashboards, exports, plugincontroles",
    ai_tokens: "Tokens van de assistent",
  },
  spans: { stored: "in totaal", now: "nu", minute: "deze minuut", day: "vandaag, UTC" },
  used: (used, hard) => `${used} van ${hard}`,
  noLimit: "geen limiet",
  states: {
    within: "Binnen de limiet",
    soft: "Boven het waarschuwingsniveau",
    hard: "Limiet bereikt",
  },
  soft: (soft) => `Waarschuwing boven ${soft}`,
  refused: "Verder gebruik wordt geweigerd.",
  resets: (time) => `Begint opnieuw om ${time}.`,
  stays: "Verwijder rijen of datasets, of vraag de beheerder van de host om een hogere limiet.",
  waits: "Verdere query’s wachten tot andere klaar zijn.",
  activity: "Mensen en activiteit",
  activityIntro:
    "Elke persoon telt één keer per rij, hoe vaak die ook kwam en welke host ook antwoordde. Maanden zijn in UTC.",
  ofDashboard: (name) => `Alleen het dashboard ${name}.`,
  ofAll: "Alles tonen",
  by: "Verdelen naar",
  month: "Maand",
  parts: {
    month: "Maand",
    suborganization: "Suborganisatie",
    integration: "Integratie",
    dashboard: "Dashboard",
    viewer: "Persoon",
  },
  none: {
    month: "–",
    suborganization: "Hele organisatie",
    integration: "Geen integratie",
    dashboard: "Geen dashboard",
    viewer: "Iemand die is verwijderd of die je niet kunt zien",
  },
  acts: {
    viewer_count: "Mensen",
    view_count: "Weergaven van dashboards",
    question_count: "Vragen",
    export_count: "Exports",
    model_call_count: "Modelaanroepen",
  },
  noActivity: "Geen activiteit in deze maand",
  noActivityText:
    "Weergaven, vragen, exports en aanroepen van het model verschijnen hier binnen enkele seconden.",
  cut: (shown, count) => `De eerste ${shown} van ${count} rijen. De API geeft ze allemaal.`,
  lost: (count) =>
    `${count} handelingen konden niet worden geteld, omdat er te veel op de catalogus wachtten.`,
  bar: (name, used, hard, soft) =>
    `${name}: ${used} van ${hard} gebruikt, waarschuwing boven ${soft}`,
};
