import type { Words } from "./en.ts";

/** The words in German. */
export const words: Words = {
  rights: {
    read: "kann sehen",
    use: "kann sehen",
    modify: "kann ändern",
    own: "ist Besitzer",
  },
  noValue: "kein Wert",
  isOneOf: (column, values, more) =>
    `${column} ist ${
      more > 0
        ? `${values.join(", ")} oder einer von ${more} weiteren Werten`
        : values.join(" oder ") || "leer"
    }`,
  personal: (column, parameter) =>
    `${column} ist „${parameter.replace(/^metadata\./, "")}“ der Person`,
  viewAs: "Anzeigen als",
  viewAsTitle: (name) => `So sieht es ${name}`,
  viewAsText:
    "Angezeigt mit einem temporären Schlüssel, der dieselben Zeilen sieht und nichts ändert. Er läuft nach 15 Minuten ab.",
  viewAsClosed: (name) => `${name} sieht dieses Dashboard nicht.`,
  viewAsMissing: (name, datasets) =>
    `${name} sieht diese Datensätze nicht, deshalb haben ihre Diagramme keine Daten: ${datasets}.`,
  viewAsForeign: (datasets) =>
    `Sie besitzen diese Datensätze nicht, deshalb bleiben ihre Diagramme hier leer: ${datasets}.`,
  viewAsWithheld: (name, datasets) =>
    `Die Zeilen dieser Datensätze können von der Person abhängen, deshalb bleiben ihre Diagramme hier leer: ${datasets}. Ein Besitzer der Organisation kann sie als ${name} ansehen.`,
  viewAsNarrower:
    "Auch die Filter Ihrer Organisation für eingebettete Seiten gelten hier, es können also Zeilen fehlen.",
  close: "Schließen",
  modes: {
    all: "Alle Zeilen",
    some: "Zeilen mit",
    kept: "Zeilen unverändert lassen",
    none: "Nicht geteilt",
  },
  column: "Spalte",
  chooseColumn: "Spalte wählen",
  unseenColumn: "eine Spalte, die Sie nicht sehen können",
  daysInUtc: "Tage beginnen um Mitternacht UTC, für alle.",
  noColumns: "Dieser Datensatz hat keine Spalte, nach der sich Zeilen auswählen lassen.",
  inviteTitle: "Person einladen",
  invite: "Einladen",
  email: "E-Mail-Adresse",
  name: "Name",
  inviteNow:
    "Link senden, mit dem die Person ein Passwort wählt. Nicht nötig bei Anmeldung über einen Anbieter.",
  invited: (email) => `Die Einladung wurde an ${email} gesendet`,
  linkFor: (name) => `Link für ${name}`,
  linkText:
    "Dieser Host konnte keine E-Mail senden. Geben Sie diesen Link daher selbst weiter. Die Person wählt damit ein Passwort. Er funktioniert einmal, innerhalb von sieben Tagen, und wird nur jetzt angezeigt.",
};
