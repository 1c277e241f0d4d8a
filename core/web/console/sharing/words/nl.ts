import type { Words } from "./en.ts";

/** The words in Dutch. */
export const words: Words = {
  rights: { read: "kan zien", use: "kan zien", modify: "kan wijzigen", own: "is eigenaar" },
  noValue: "geen waarde",
  isOneOf: (column, values, more) =>
    `${column} is ${
      more > 0 ? `${values.join(", ")} of nog ${more} andere` : values.join(" of ") || "niets"
    }`,
  personal: (column, parameter) =>
    `${column} is “${parameter.replace(/^metadata\./, "")}” van de persoon`,
  viewAs: "Bekijken als",
  viewAsTitle: (name) => `Zoals ${name} het ziet`,
  viewAsText:
    "Weergegeven met een tijdelijke sleutel die dezelfde rijen ziet en niets wijzigt. Deze verloopt na 15 minuten.",
  viewAsClosed: (name) => `${name} ziet dit dashboard niet.`,
  viewAsMissing: (name, datasets) =>
    `${name} ziet deze datasets niet, dus hun grafieken hebben geen gegevens: ${datasets}.`,
  viewAsForeign: (datasets) =>
    `Je bent geen eigenaar van deze datasets, dus hun grafieken blijven hier leeg: ${datasets}.`,
  viewAsWithheld: (name, datasets) =>
    `De rijen van deze datasets kunnen van de persoon afhangen, dus hun grafieken blijven hier leeg: ${datasets}. Een eigenaar van de organisatie kan ze bekijken als ${name}.`,
  viewAsNarrower:
    "Ook de filters van je organisatie voor ingesloten pagina’s gelden hier, dus er kunnen rijen ontbreken.",
  close: "Sluiten",
  modes: {
    all: "Alle rijen",
    some: "Rijen waar",
    kept: "Rijen laten zoals ze zijn",
    none: "Niet gedeeld",
  },
  column: "Kolom",
  chooseColumn: "Kies een kolom",
  unseenColumn: "een kolom die je niet kunt zien",
  daysInUtc: "Dagen beginnen om middernacht UTC, voor iedereen.",
  noColumns: "Deze dataset heeft geen kolom waarmee je rijen kunt kiezen.",
  inviteTitle: "Persoon uitnodigen",
  invite: "Uitnodigen",
  email: "E-mailadres",
  name: "Naam",
  inviteNow:
    "Stuur een link om een wachtwoord te kiezen. Niet nodig voor wie via een provider inlogt.",
  invited: (email) => `De uitnodiging is verstuurd naar ${email}`,
  linkFor: (name) => `Link voor ${name}`,
  linkText:
    "Deze host kon geen e-mail versturen, dus geef deze link zelf door. De persoon kiest ermee een wachtwoord. De link werkt één keer, binnen zeven dagen, en wordt alleen nu getoond.",
};
