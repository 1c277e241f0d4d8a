import type { SourceWords } from "./en.ts";

/** The words in Dutch. */
export const words: SourceWords = {
  storedTitle: "Opgeslagen op deze host",
  storedText:
    "De rijen zijn geïmporteerd of verzonden, dus er is geen bron om mee te synchroniseren.",
  synchronization: "Synchronisatie",
  connection: "Verbinding",
  table: "Tabel",
  statement: "een SQL-instructie",
  lastSync: "Laatst gesynchroniseerd",
  lastAttempt: "Laatste poging",
  byConnection:
    "Kolommen worden met de bron gesynchroniseerd volgens de planning van de verbinding",
  byItself: (hours) => `Kolommen worden elke ${hours} uur met de bron gesynchroniseerd`,
  synchronizeNow: "Nu synchroniseren",
  unchanged: "De kolommen zijn niet gewijzigd.",
  notSynced: (reason) => `Synchroniseren is mislukt: ${reason}`,
  changes: {
    added: (count) => `${count} toegevoegd`,
    missing: (count) => `${count} ontbreken`,
    returned: (count) => `${count} teruggekeerd`,
    retyped: (count) => `${count} met een nieuw type`,
  },
  acceleration: "Versnelling",
  accelerationText:
    "Elke query gaat naar de bron. Een kopie in de opslag antwoordt binnen milliseconden.",
  start: "Rijen naar de opslag kopiëren",
  startText:
    "Query’s gebruiken de kopie zodra die volledig is. Rechten en rijfilters blijven gelijk.",
  stop: "Kopie verwijderen",
  stopText: "Query’s gaan weer naar de bron. De kopie en de planning ervan worden verwijderd.",
  load: "Elke keer wordt gekopieerd",
  loads: {
    full: "Alle rijen, elke keer",
    delta: "Alleen nieuwe en gewijzigde rijen",
    "full-delta": "Nieuwe en gewijzigde rijen, en eenmaal per dag alle rijen",
  },
  states: { waiting: "wacht", copying: "kopieert", ready: "gereed", failed: "mislukt" },
  deltaColumn: "Kolom met het tijdstip van de laatste wijziging",
  every: "Kopieer elke",
  unit: "Eenheid",
  units: { minute: "minuten", hour: "uren", day: "dagen", week: "weken", month: "maanden" },
  rows: "Rijen",
  size: "Grootte",
  asOf: "Rijen van",
  fullAt: "Laatste volledige kopie",
  next: "Volgende kopie",
  copied: (rows, share) =>
    share === null
      ? `${rows} rijen gekopieerd tot nu toe`
      : `${rows} rijen gekopieerd tot nu toe, ongeveer ${Math.floor(share * 100)}%`,
  history: "Wijzigingen",
  actions: {
    create: "gemaakt",
    update: "gewijzigd",
    delete: "verwijderd",
    associate: "gedeeld of gekoppeld",
    dissociate: "delen of koppelen gestopt",
  },
  members: {
    name: "naam",
    description: "beschrijving",
    contents: "grafieken",
    custom_metadata: "metadata",
    file_settings: "instellingen van het bestand",
    source_sheet: "tabel",
    account_id: "verbinding",
    meta_sync_interval: "synchronisatie",
  },
};
