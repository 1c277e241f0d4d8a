import type { Words } from "./en.ts";

/** The words in German. */
export const words: Words = {
  pages: {
    "": "Start",
    explore: "Erkunden",
    ask: "Fragen",
    dashboards: "Dashboards",
    data: "Daten",
    alerts: "Warnungen",
    plugins: "Plugins",
    access: "Zugriff",
    account: "Konto",
  },
  navigation: "Seiten",
  skip: "Zum Inhalt springen",
  menu: "Menü",
  search: "Suchen",
  searchHint: "Spalte, Diagramm, Aktion…",
  searchNothing: "Keine Treffer.",
  account: "Konto",
  signOut: "Abmelden",
  colors: "Farben",
  useColors: {
    system: "Farben des Systems verwenden",
    light: "Helle Farben verwenden",
    dark: "Dunkle Farben verwenden",
  },
  colorChoices: {
    system: "Wie das System",
    light: "Helle Farben",
    dark: "Dunkle Farben",
  },
  browserLanguage: "Sprache des Browsers",
  useLanguage: (name) => `Sprache: ${name}`,
  newDashboard: "Neues Dashboard",
  upload: "Datei importieren",
  connect: "Quelle verbinden",
  newAlert: "Neue Warnung",
  invite: "Personen einladen",
  columnOf: (dataset) => `Spalte von ${dataset}`,
  chartIn: (dashboard) => `Diagramm in ${dashboard}`,
  kinds: {
    dataset: "Datensatz",
    dashboard: "Dashboard",
    alert: "Warnung",
    page: "Seite",
    action: "Aktion",
  },
  favorite: (kind) => `${kind}, Favorit`,
  dropHere: "Dateien zum Importieren hier ablegen",
  notFound: "Seite nicht gefunden",
  notFoundText: "Vielleicht enthält die Adresse einen Tippfehler, oder die Seite wurde entfernt.",
  goHome: "Zur Startseite",
  signIn: "Anmelden",
  signInTitle: "Bei Manifold anmelden",
  byPassword: "E-Mail",
  byPair: "Schlüsselpaar",
  email: "E-Mail",
  password: "Passwort",
  code: "Code",
  recoveryCode: "Wiederherstellungscode, falls vorhanden",
  codeHint:
    "Geben Sie die sechs Ziffern aus Ihrer Authenticator-App oder einen Wiederherstellungscode ein.",
  forgot: "Passwort vergessen?",
  forgotText:
    "Geben Sie Ihre E-Mail-Adresse ein. Wenn hier ein Passwort zu ihr gehört, senden wir einen Link, mit dem Sie ein neues wählen.",
  forgotNoMail:
    "Dieser Host versendet keine E-Mails. Bitten Sie einen Besitzer Ihrer Organisation um einen Link, mit dem Sie ein neues Passwort wählen.",
  sendLink: "Link senden",
  linkSent:
    "Wenn hier ein Passwort zu dieser Adresse gehört, ist ein Link unterwegs. Er funktioniert einmal, innerhalb einer Stunde.",
  toSignIn: "Zurück zur Anmeldung",
  choosePassword: "Passwort wählen",
  welcome: (name) =>
    `Willkommen, ${name}. Wählen Sie das Passwort, mit dem Sie sich anmelden werden.`,
  newPasswordFor: (name) => `Wählen Sie ein neues Passwort für ${name}.`,
  newPassword: "Neues Passwort",
  newPasswordHint:
    "Mindestens 10 Zeichen. Mehrere Wörter sind leicht zu merken und schwer zu erraten.",
  savePassword: "Passwort speichern",
  passwordChosen: "Ihr Passwort wurde gespeichert. Melden Sie sich damit an.",
  passwordLinkUsed:
    "Dieser Link wurde bereits verwendet oder ist abgelaufen. Fordern Sie unter „Passwort vergessen?“ einen neuen an, oder fragen Sie einen Besitzer Ihrer Organisation.",
  passkey: "Mit einem Passkey anmelden",
  key: "Schlüssel",
  token: "Token",
  pairHint:
    "Der Host hat bei seinem ersten Start ein Schlüsselpaar ausgegeben. Wenn Sie lieber einen Link möchten, führen Sie auf dem Rechner des Hosts „manifold open“ aus.",
  sessionEnded:
    "Ihre Sitzung ist beendet. Melden Sie sich an, um dort fortzufahren, wo Sie aufgehört haben.",
  linkUsed:
    "Dieser Anmeldelink ist abgelaufen, wurde bereits verwendet oder gehört zu einem anderen Rechner. Einen neuen erhalten Sie mit „manifold open“ auf dem Rechner des Hosts, in dem Ordner, in dem der Host gestartet wurde.",
  signingIn: "Anmeldung läuft",
  signOn: "Mit dem Firmenkonto anmelden",
  signOnBy: (name) => `Mit ${name} anmelden`,
  signOnFailures: {
    SIGN_ON_REFUSED:
      "Ihr Firmenkonto hat hier keinen Zugriff. Bitten Sie einen Besitzer Ihrer Organisation um Zugriff.",
    SIGN_ON_UNKNOWN:
      "Dieser Anmeldedienst existiert nicht oder ist ausgeschaltet. Fragen Sie einen Besitzer Ihrer Organisation.",
    SIGN_ON_PROVIDER_FAILED:
      "Der Anmeldedienst Ihrer Firma antwortet nicht. Versuchen Sie es gleich noch einmal.",
  },
  signOnFailed: "Die Anmeldung mit Ihrem Firmenkonto ist fehlgeschlagen. Versuchen Sie es erneut.",
  signOnRequest: (id) => `Anfrage-ID: ${id}`,
};
