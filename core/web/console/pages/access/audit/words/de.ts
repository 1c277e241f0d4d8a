import { counted } from "../../../../language/index.ts";
import type { Noun, Subject } from "../told.ts";
import type { Words } from "./en.ts";

/** Returns a noun with its article, if it has one, in the dative: its adjectives decline too. */
const inDative = (noun: string): string =>
  noun
    .replace(/^(eine) gespeicherte /, "$1 gespeicherten ")
    .replace(/^gespeicherte /, "gespeicherter ")
    .replace(/^privaten /, "privatem ")
    .replaceAll(/\beine /g, "einer ")
    .replaceAll(/\bein(en)? /g, "einem ");

/** Returns a record in the dative, which follows prepositions. */
const dative = (record: Subject): Subject => {
  const { named, some } = record.noun;
  return { ...record, noun: { ...record.noun, named: inDative(named), some: inDative(some) } };
};

const links: Words["links"] = {
  shared: (what, whom) => ["hat ", what, " mit ", dative(whom), " geteilt"],
  unshared: (what, whom) => ["teilt ", what, " nicht mehr mit ", dative(whom)],
  joined: (what, where) => ["hat ", what, " zu ", dative(where), " hinzugefügt"],
  left: (what, where) => ["hat ", what, " aus ", dative(where), " entfernt"],
  ranked: (person) => ["hat die Rolle von ", dative(person), " festgelegt"],
  opened: (dashboard) => ["hat einen privaten Link zu ", dative(dashboard), " erstellt"],
  scheduled: (what) => ["hat ", what, " in einen Zeitplan aufgenommen"],
  unscheduled: (what) => ["hat ", what, " aus dem Zeitplan genommen"],
  linked: (one, two) => ["hat ", one, " mit ", dative(two), " verknüpft"],
  unlinked: (one, two) => [
    "hat die Verknüpfung von ",
    dative(one),
    " mit ",
    dative(two),
    " entfernt",
  ],
};

const events: Words["events"] = {
  create: (record) => ["hat ", record, " erstellt"],
  update: (record) => ["hat ", record, " geändert"],
  delete: (record) => ["hat ", record, " gelöscht"],
  test: (record) => ["hat ", record, " getestet"],
  get: (record) => ["hat ", record, " gelesen"],
  explain: (record) => ["hat nachgesehen, wer Zugriff hat auf ", record],
  list: () => ["hat die Einbettungstokens aufgelistet"],
  preview: (record) => ["hat eine Vorschau der Nachrichten von ", dative(record), " angesehen"],
  backtest: (record) => ["hat ", record, " mit früheren Daten ausprobiert"],
  validate: (record) => ["hat eine Änderung an ", dative(record), " geprüft"],
  resend: () => ["hat eine Nachricht erneut gesendet"],
  "create authorization": (record) => ["hat ", record, " ausgestellt"],
  "delete authorization": (record) =>
    record.name === undefined
      ? ["hat ein Token oder eine Sitzung beendet"]
      : ["hat ", record, " widerrufen"],
  "explain authorization": (record) => ["hat nachgesehen, was sichtbar ist für ", record],
  "create user": (record) => ["hat ", record, " hinzugefügt"],
  sign_in_failed: (record) => ["konnte sich nicht anmelden als ", record],
  second_factor_add: () => ["hat einen zweiten Faktor hinzugefügt"],
  second_factor_remove: (record) => ["hat einen zweiten Faktor von ", dative(record), " entfernt"],
  recovery_codes_make: () => ["hat neue Wiederherstellungscodes erstellt"],
  owner_recover: () => ["hat den Zugang des Besitzers wiederhergestellt"],
  sign_in_link_create: (record) => ["hat einen Anmeldelink für ", record, " erstellt"],
  secret_redirect: (record) => [
    "hat das Geheimnis von ",
    dative(record),
    " an eine andere Adresse gesendet",
  ],
  chart_approve: (record) => ["hat ", record, " freigegeben"],
  chart_withdraw: (record) => ["hat die Freigabe von ", dative(record), " zurückgezogen"],
  invitation_create: (record) => ["hat ", record, " eingeladen"],
  password_link_create: (record) => [
    "hat einen Link für ein neues Passwort angefordert für ",
    record,
  ],
  password_set: () => ["hat mit einem Einmallink ein Passwort gewählt"],
};

const nouns: Readonly<Record<string, Noun>> = {
  account: { named: "Verbindung", some: "eine Verbindung" },
  acceleration: { named: "Beschleunigung", some: "eine Beschleunigung", of: "von" },
  alert: { named: "Warnung", some: "eine Warnung" },
  authorization: { named: "Token", some: "ein Token" },
  channel: { named: "Kanal", some: "einen Kanal" },
  collection: { named: "Sammlung", some: "eine Sammlung" },
  column: { named: "Spalte", some: "eine Spalte" },
  embedfiltergroup: {
    named: "Filtergruppe für Einbettungstokens",
    some: "eine Filtergruppe für Einbettungstokens",
  },
  formula: { named: "Formel", some: "eine Formel" },
  group: { named: "Gruppe", some: "eine Gruppe" },
  hierarchylevel: { named: "Hierarchieebene", some: "eine Hierarchieebene" },
  integration: { named: "Integration", some: "eine Integration" },
  organization: { named: "Organisation", some: "eine Organisation" },
  plugin: { named: "Plugin", some: "ein Plugin" },
  schedule: { named: "Zeitplan", some: "einen Zeitplan", of: "von" },
  savedquestion: { named: "gespeicherte Frage", some: "eine gespeicherte Frage", of: "zu" },
  savedview: { named: "gespeicherte Ansicht", some: "eine gespeicherte Ansicht", of: "von" },
  securable: { named: "Datensatz oder Dashboard", some: "einen Datensatz oder ein Dashboard" },
  customchart: { named: "Diagramm", some: "ein Diagramm" },
  share: { named: "privaten Link", some: "einen privaten Link", of: "zu" },
  ssoconfig: { named: "Anmeldeanbieter", some: "einen Anmeldeanbieter" },
  tag: { named: "Tag", some: "ein Tag" },
  theme: { named: "Theme", some: "ein Theme" },
  user: { named: "", some: "eine Person" },
  dataset: { named: "Datensatz", some: "einen Datensatz" },
  dashboard: { named: "Dashboard", some: "ein Dashboard" },
  apitoken: { named: "API-Token", some: "ein API-Token" },
  embedtoken: { named: "Einbettungstoken für", some: "ein Einbettungstoken", of: "auf" },
};

const resources: Readonly<Record<string, string>> = {
  account: "Verbindung",
  acceleration: "Beschleunigung",
  alert: "Warnung",
  authorization: "Token",
  channel: "Kanal",
  collection: "Sammlung",
  column: "Spalte",
  embedfiltergroup: "Filtergruppe für Einbettungstokens",
  formula: "Formel",
  group: "Gruppe",
  hierarchylevel: "Hierarchieebene",
  integration: "Integration",
  organization: "Organisation",
  plugin: "Plugin",
  schedule: "Zeitplan",
  savedquestion: "gespeicherte Frage",
  savedview: "gespeicherte Ansicht",
  securable: "Datensatz oder Dashboard",
  customchart: "Diagramm",
  share: "privater Link",
  ssoconfig: "Anmeldeanbieter",
  tag: "Tag",
  theme: "Theme",
  user: "Person",
};

const members: Readonly<Record<string, string>> = {
  contents: "Diagramme",
  feature_overrides: "Funktionen",
  parameter_overrides: "Parameter",
  account_overrides: "Verbindungseinstellungen",
  custom_metadata: "Metadaten",
  allowed_addresses: "erlaubte Adressen",
  meta_sync_interval: "Synchronisierung",
  old_password: "altes Passwort",
  name: "Name",
  description: "Beschreibung",
  email: "E-Mail-Adresse",
  role: "Rolle",
  suborganization: "Unterorganisation",
  password: "Passwort",
  query: "Frage",
  active: "Pause",
  frequency_unit: "Intervall",
  frequency_quantity: "Anzahl der Intervalle",
  time_of_day: "Uhrzeit",
  timezone: "Zeitzone",
  export: "Datei",
  started_at: "Beginn",
  state: "Auswahl",
  shared: "Teilen",
  is_default: "Standard",
  config: "Einstellungen",
  type: "Typ",
  format: "Format",
  expression: "Ausdruck",
  css: "Stile",
  theme: "Theme",
  is_published: "Veröffentlichung",
  hidden: "Sichtbarkeit",
};

/** The words in German. */
export const words: Words = {
  title: "Audit",
  when: "Wann",
  who: "Wer",
  action: "Aktion",
  resource: "Objektart",
  record: "Objekt",
  changed: "Geändert",
  target: "Anderes Objekt",
  address: "Von Adresse",
  request: "Anfrage",
  token: "Verwendetes Token",
  any: "alle",
  anyone: "alle",
  chooseWho: "Person wählen",
  searchPeople: "Personen suchen",
  nobody: "Keine passenden Personen",
  from: "Von",
  to: "Bis",
  recordHint: "ID des Objekts",
  clear: "Filter entfernen",
  filters: "Filter",
  none: "Noch keine Änderungen aufgezeichnet",
  nothingFound: "Keine Änderungen passen zu diesen Filtern",
  count: (count) => counted(count, "Änderung", "Änderungen"),
  detail: "Details der Änderung",
  openRecord: "Objekt öffnen",
  openTarget: "Anderes Objekt öffnen",
  allOf: "Alle Änderungen an diesem Objekt",
  copyRequest: "Anfrage-ID kopieren",
  onlyDone:
    "Hier stehen nur ausgeführte Änderungen. Abgelehnte Aufrufe stehen im Protokoll des Hosts.",
  exportCsv: "CSV exportieren",
  exportJson: "JSON exportieren",
  exporting: (read, count) => `${read} von ${count} Änderungen`,
  stop: "Stoppen",
  cut: (count) =>
    `Die Datei enthält die neuesten ${count} Änderungen. Grenzen Sie die Filter ein, um ältere zu exportieren.`,
  what: "Was geschehen ist",
  actions: {
    create: "erstellt",
    update: "geändert",
    delete: "gelöscht",
    associate: "geteilt oder verknüpft",
    dissociate: "Teilen oder Verknüpfung beendet",
    explain: "angesehen",
    test: "getestet",
  },
  resources,
  nouns,
  members,
  links,
  events,
  some: (resource) => `ein Objekt von ${resource}`,
  did: (action, record) => [`${action}: `, record],
  signedIn: ["hat sich angemeldet"],
  signedOut: ["hat sich abgemeldet"],
  sawAs: (record, person) => ["hat ", record, " so angesehen, wie ", person, " es sieht"],
  changedMembers: (record, changed) => ["hat ", record, ` geändert (${changed})`],
  ids: "IDs für den Support",
  deletedPerson: "Eine gelöschte Person",
  afterOf: dative,
};
