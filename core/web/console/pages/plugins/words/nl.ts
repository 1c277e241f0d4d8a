import { counted } from "../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in Dutch. */
export const words: Words = {
  title: "Plugins",
  intro:
    "Gegevensbronnen die deze organisatie kan verbinden, elk met het resultaat van de conformiteitscontrole.",
  name: "Naam",
  slug: "Slug",
  protocol: "Protocol",
  askedVersion: "De plugin vragen",
  registered: "Plugin geregistreerd",
  state: "Verificatie",
  checked: "Gecontroleerd",
  never: "nooit",
  states: { verified: "geverifieerd", failed: "mislukt", unchecked: "niet gecontroleerd" },
  register: "Plugin registreren",
  registerTitle: "Plugin registreren",
  address: "Adres",
  addressHint: "Waar de plugin luistert, zoals https://plugin.example.com.",
  secret: "Geheim",
  secretHint:
    "De host stuurt het geheim mee in de header X-Secret en slaat het versleuteld op. Laat leeg om de host er een te laten maken.",
  secretTitle: "Het geheim van de plugin",
  secretOnce: "Start je plugin met dit geheim. Het wordt maar één keer getoond.",
  newSecret: "Nieuw geheim",
  newSecretText:
    "De host en de plugin accepteren het oude geheim ook nog, zo lang als je kiest. Stel het nieuwe geheim binnen die tijd in je plugin in.",
  newSecretHint: "Laat leeg om er een te laten maken.",
  keepFormer: "Oud geheim accepteren gedurende",
  hours: (count) =>
    count === 0
      ? "niet langer"
      : count % 24 > 0
        ? `${count} uur`
        : counted(count / 24, "dag", "dagen"),
  formerUntil: (at) => `Het oude geheim is geldig tot ${at}.`,
  endFormer: "Nu intrekken",
  formerEnded: "Het oude geheim werkt niet meer",
  newSecretOnce: "Stel dit geheim in je plugin in. Het wordt maar één keer getoond.",
  secretChanged: "Het geheim is gewijzigd",
  check: "Nu controleren",
  checking: "De controle is gestart; het resultaat verschijnt hier.",
  proved: "Geverifieerd",
  wrong: "Problemen",
  nothingWrong: "Geen problemen gevonden.",
  rows: (rows, datasets) => `Gecontroleerd met ${rows} rijen van ${datasets} datasets.`,
  kit: (version) => `Kit, versie ${version}`,
  noReport: "De kit heeft deze plugin nog niet gecontroleerd, dus de host test elk filter opnieuw.",
  gone: "Deze plugin bestaat niet, of je mag hem niet zien.",
  empty: "Geen plugins geregistreerd",
  emptyText:
    "Een plugin verbindt een gegevensbron met Manifold. Registreer een plugin met het adres ervan.",
  close: "Sluiten",
  calls: "Aanroepen",
  callCount: "Aanroepen",
  failures: "Mislukt",
  median: "Mediane tijd",
  slow: "95e percentiel",
  lastCall: "Laatste aanroep",
  since: (at) => `Sinds deze host is gestart, ${at}.`,
  report: "Rapport",
  available: "Beschikbare plugins",
  availableText:
    "Gegevensbronnen die Manifold of anderen publiceren. De conformiteitskit heeft elk ervan gecontroleerd vóór opname in de lijst.",
  search: "Plugins zoeken",
  found: (count) => (count === "1" ? "1 plugin" : `${count} plugins`),
  nothingFound: "Geen plugin gevonden",
  nothingFoundText: "Zoek op een ander woord, of schrijf een plugin voor je bron.",
  listFailed: "De lijst met plugins kon niet worden geladen. Probeer het opnieuw.",
  kinds: {
    "built-in": "ingebouwd",
    connector: "connector",
    plugin: "plugin",
    example: "voorbeeld",
  },
  by: (maintainer, license) => `Van ${maintainer}, licentie ${license}`,
  provedCount: (count) => counted(count, "claim bewezen", "claims bewezen"),
  checkedVersion: (version, at) => `versie ${version}, gecontroleerd op ${at}`,
  install: (name) => `npm install ${name}`,
  connect: (name) => `${name} verbinden`,
  visit: (name) => `Website van ${name}`,
  deprecated: "Verouderd:",
};
