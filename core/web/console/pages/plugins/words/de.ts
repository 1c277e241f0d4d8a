import { counted } from "../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in German. */
export const words: Words = {
  title: "Plugins",
  intro:
    "Datenquellen, die diese Organisation verbinden kann, jeweils mit dem Ergebnis der Konformitätsprüfung.",
  name: "Name",
  slug: "Slug",
  protocol: "Protokoll",
  askedVersion: "Das Plugin fragen",
  registered: "Plugin registriert",
  state: "Prüfung",
  checked: "Geprüft",
  never: "nie",
  states: { verified: "bestanden", failed: "fehlgeschlagen", unchecked: "nicht geprüft" },
  register: "Plugin registrieren",
  registerTitle: "Plugin registrieren",
  address: "Adresse",
  addressHint: "Wo das Plugin erreichbar ist, zum Beispiel https://plugin.example.com.",
  secret: "Geheimnis",
  secretHint:
    "Der Host sendet das Geheimnis im Header X-Secret und speichert es verschlüsselt. Leer lassen, damit der Host eines erzeugt.",
  secretTitle: "Das Geheimnis des Plugins",
  secretOnce: "Starten Sie Ihr Plugin mit diesem Geheimnis. Es wird nur einmal angezeigt.",
  newSecret: "Neues Geheimnis",
  newSecretText:
    "Host und Plugin akzeptieren für die gewählte Zeit auch das alte Geheimnis. Stellen Sie das neue Geheimnis innerhalb dieser Zeit in Ihrem Plugin ein.",
  newSecretHint: "Leer lassen, um eines zu erzeugen.",
  keepFormer: "Altes Geheimnis akzeptieren für",
  hours: (count) =>
    count === 0
      ? "keine Zeit"
      : count % 24 > 0
        ? counted(count, "Stunde", "Stunden")
        : counted(count / 24, "Tag", "Tage"),
  formerUntil: (at) => `Das alte Geheimnis gilt bis zum ${at}.`,
  endFormer: "Jetzt widerrufen",
  formerEnded: "Das alte Geheimnis gilt nicht mehr",
  newSecretOnce: "Stellen Sie dieses Geheimnis in Ihrem Plugin ein. Es wird nur einmal angezeigt.",
  secretChanged: "Das Geheimnis wurde geändert",
  check: "Jetzt prüfen",
  checking: "Die Prüfung läuft; ihr Ergebnis erscheint hier.",
  proved: "Bestanden",
  wrong: "Probleme",
  nothingWrong: "Keine Probleme gefunden.",
  rows: (rows, datasets) => `Geprüft mit ${rows} Zeilen aus ${datasets} Datensätzen.`,
  kit: (version) => `Kit, Version ${version}`,
  noReport:
    "Das Kit hat dieses Plugin noch nicht geprüft, daher prüft der Host jeden Filter erneut.",
  gone: "Dieses Plugin gibt es nicht, oder Sie dürfen es nicht sehen.",
  empty: "Keine Plugins registriert",
  emptyText:
    "Ein Plugin verbindet eine Datenquelle mit Manifold. Registrieren Sie ein Plugin über seine Adresse.",
  close: "Schließen",
  calls: "Aufrufe",
  callCount: "Aufrufe",
  failures: "Fehlgeschlagen",
  median: "Mediane Zeit",
  slow: "95. Perzentil",
  lastCall: "Letzter Aufruf",
  since: (at) => `Seit dem Start dieses Hosts, ${at}.`,
  report: "Bericht",
  available: "Verfügbare Plugins",
  availableText:
    "Datenquellen, die Manifold oder andere veröffentlichen. Das Konformitätskit hat jede geprüft, bevor sie in die Liste kam.",
  search: "Plugins suchen",
  found: (count) => (count === "1" ? "1 Plugin" : `${count} Plugins`),
  nothingFound: "Kein passendes Plugin",
  nothingFoundText:
    "Suchen Sie nach einem anderen Wort, oder schreiben Sie ein Plugin für Ihre Quelle.",
  listFailed: "Die Liste der Plugins konnte nicht geladen werden. Versuchen Sie es erneut.",
  kinds: {
    "built-in": "eingebaut",
    connector: "Konnektor",
    plugin: "Plugin",
    example: "Beispiel",
  },
  by: (maintainer, license) => `Von ${maintainer}, Lizenz ${license}`,
  provedCount: (count) => counted(count, "Zusage belegt", "Zusagen belegt"),
  checkedVersion: (version, at) => `Version ${version}, geprüft am ${at}`,
  install: (name) => `npm install ${name}`,
  connect: (name) => `${name} verbinden`,
  visit: (name) => `Website von ${name}`,
  deprecated: "Veraltet:",
};
