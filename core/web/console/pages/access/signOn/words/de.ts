import { counted, isolated } from "../../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in German. */
export const words: Words = {
  title: "Anmeldung",
  secondFactor: "Zweiter Faktor",
  isDemanded: "Erforderlich",
  isFree: "Optional",
  freeText:
    "Personen können auf ihrer Kontoseite eine Authenticator-App oder einen Passkey hinzufügen.",
  demandedText:
    "Personen, die sich mit einem Passwort anmelden, müssen auch eine Authenticator-App oder einen Passkey verwenden. Anmeldungen über einen Anbieter und API-Tokens sind nicht betroffen.",
  demand: "Zweiten Faktor verlangen",
  demandText:
    "Personen, die sich mit einem Passwort anmelden, müssen einen zweiten Faktor hinzufügen, bevor sie etwas anderes tun können, auch in offenen Sitzungen. Anmeldungen über einen Anbieter und API-Tokens sind nicht betroffen.",
  lackText:
    "Sie haben selbst noch keinen zweiten Faktor. Wenn Sie sich mit einem Passwort angemeldet haben, können Sie nichts anderes tun, bis Sie einen hinzufügen.",
  ownLack: "Sie haben selbst noch keinen zweiten Faktor.",
  addYours: "Hinzufügen",
  endDemand: "Optional machen",
  endDemandText:
    "Personen können sich wieder nur mit einem Passwort anmelden. Wer einen zweiten Faktor hat, behält ihn.",
  demanded: "Ein zweiter Faktor ist jetzt erforderlich",
  demandEnded: "Ein zweiter Faktor ist nicht mehr erforderlich",
  bounds: "Erlaubte IP-Adressen",
  anywhere: "Überall",
  anywhereText:
    "Personen können sich von jeder Adresse aus anmelden, und ihre API-Tokens gelten überall.",
  boundText:
    "Personen können sich nur aus diesen Netzwerken anmelden, und ihre API-Tokens gelten nur dort. Einbettungstokens haben eigene Listen.",
  networkCount: (count) => counted(count, "Netzwerk", "Netzwerke"),
  changeAddresses: "Adressen ändern",
  addressesText:
    "Aufrufe und Anmeldungen von anderen Adressen werden abgelehnt, auch in offenen Sitzungen. Einbettungstokens und private Links sind nicht betroffen.",
  addressList: "Adressen und Netzwerke",
  addressListHint:
    "Geben Sie eine Angabe pro Zeile ein, zum Beispiel 203.0.113.7, 203.0.113.0/24 oder 2001:db8::/48. Leer lassen, um jede Adresse zu erlauben.",
  leavesOut: (address) =>
    `Die Liste enthält Ihre eigene Adresse ${isolated(address)} nicht, Sie würden sich also aussperren. Fügen Sie sie hinzu, oder bestätigen Sie unten.`,
  confirmLockout: "Ich habe einen anderen Zugang. Trotzdem speichern",
  addressesChanged: "Die Adressen wurden geändert",
  search: "Anbieter suchen",
  name: "Name",
  kind: "Typ",
  state: "Status",
  active: "Aktiv",
  inactive: "Inaktiv",
  unserved: "Gespeichert, nicht in Gebrauch",
  none: "Noch keine Anbieter",
  noneText:
    "Mit einem Anbieter melden sich Personen mit ihrem Firmenkonto an. Jeder OpenID-Connect-Anbieter funktioniert.",
  nothingFound: "Keine passenden Anbieter",
  count: (count) => counted(count, "Anbieter", "Anbieter"),
  add: "Anbieter hinzufügen",
  absent: "Diesen Anbieter gibt es nicht, oder Sie haben keinen Zugriff darauf",
  newTitle: "Neuer OpenID-Connect-Anbieter",
  newText: "Der Anbieter bleibt inaktiv, bis Sie ihn getestet und eingeschaltet haben.",
  provider: "Anbieter",
  nameHint: "Wird auf der Anmeldeseite angezeigt.",
  issuer: "Aussteller (Issuer)",
  issuerHint: "Die https-Adresse, von der der Host das Discovery-Dokument liest.",
  clientId: "Client-ID",
  clientSecret: "Client-Geheimnis",
  secretHint:
    "Ohne Geheimnis schützt nur PKCE den Client. Das Geheimnis wird nie wieder angezeigt.",
  secretKept: "Ein Geheimnis ist gespeichert. Leer lassen, um es zu behalten.",
  removeSecret: "Gespeichertes Geheimnis entfernen",
  scopes: "Scopes",
  scopesHint: "Trennen Sie Scopes durch Leerzeichen. Einer davon muss openid sein.",
  hours: "Sitzungsdauer in Stunden",
  createUsers: "Benutzer anlegen für Personen, die sich zum ersten Mal anmelden",
  linkByEmail:
    "Personen mit dem vorhandenen Benutzer derselben bestätigten E-Mail-Adresse verknüpfen",
  claims: "Rechte aus Claims",
  claimsText:
    "Bei jeder Anmeldung setzen die Claims diese Werte des Benutzers und können Rechte hinzufügen oder entziehen. Lassen Sie einen Claim leer, wenn Besitzer seinen Wert von Hand setzen.",
  suborganizationClaim: "Claim für die Unterorganisation",
  suborganizationHint: "Personen, deren Claim keinen Text enthält, können sich nicht anmelden.",
  externalClaim: "Claim für die SCIM-ID",
  externalHint:
    "Verwenden Sie sub, sofern der Anbieter keinen anderen Claim nennt. Entra ID verwendet oid.",
  roleClaim: "Claim für die Rolle",
  groupsClaim: "Claim für die Gruppen",
  groupsHint: "Nur der Anbieter bestimmt, wer zu den hier genannten Gruppen gehört.",
  value: "Wert des Claims",
  means: "bedeutet",
  role: "Rolle",
  group: "Gruppe",
  roles: { member: "Mitglied", editor: "Bearbeiter", owner: "Besitzer" },
  addValue: "Wert hinzufügen",
  chooseGroup: "Gruppe wählen",
  searchGroups: "Gruppen suchen",
  noGroup: "Keine passenden Gruppen",
  parameters: "Parameter aus Claims",
  parameter: "Parameter",
  claim: "Claim",
  list: "Immer eine Liste, auch bei einem einzigen Wert",
  addParameter: "Parameter hinzufügen",
  remove: "Entfernen",
  removeValue: (name) => `${isolated(name)} entfernen`,
  save: "Speichern",
  create: "Erstellen",
  saved: "Gespeichert",
  savingEnds: (count) =>
    `Das Speichern beendet ${counted(count, "Sitzung", "Sitzungen")} über diesen Anbieter.`,
  addresses: "Beim Anbieter einzutragende Adressen",
  redirect: "Weiterleitungsadresse",
  signOn: "Anmeldeadresse",
  scim: "SCIM-Adresse",
  copy: "Kopieren",
  copyNamed: (name) => `Kopieren: ${name}`,
  test: "Anbieter testen",
  testing: "Das Discovery-Dokument wird gelesen…",
  passed: "Personen können sich über diesen Anbieter anmelden",
  failed: "Personen können sich über diesen Anbieter nicht anmelden",
  endpoints: {
    authorization_endpoint: "Anmeldeseite",
    token_endpoint: "Tokens",
    userinfo_endpoint: "Benutzerinformationen",
    jwks_uri: "Schlüssel",
  },
  switchOn: "Einschalten",
  switchOff: "Ausschalten",
  switchOffText: (sessions) =>
    `${counted(sessions, "Sitzung endet", "Sitzungen enden")}, und niemand kann sich über diesen Anbieter anmelden, bis er wieder eingeschaltet ist.`,
  depends: (users, sessions) =>
    `${counted(users, "Benutzer meldet sich", "Benutzer melden sich")} über diesen Anbieter an; ${counted(sessions, "Sitzung ist", "Sitzungen sind")} offen.`,
  provisioning: "Benutzer und Gruppen über SCIM",
  provisioningText:
    "Ein Anbieter, der SCIM 2.0 unterstützt, kann hier Benutzer und Gruppen verwalten. Tragen Sie diese Adresse und ein Token in den Einstellungen des Anbieters ein.",
  provisioned: (users, groups) =>
    `Er verwaltet ${counted(users, "Benutzer", "Benutzer")} und ${counted(groups, "Gruppe", "Gruppen")}.`,
  makeToken: "Token erstellen",
  renewToken: "Neues Token erstellen",
  renewText:
    "Das aktuelle Token wird sofort ungültig. Tragen Sie das neue in den Einstellungen des Anbieters ein.",
  tokenText:
    "Tragen Sie dieses Token in den Einstellungen des Anbieters ein. Es wird nur einmal angezeigt.",
  removeToken: "Token entfernen",
  removeTokenText:
    "Der Anbieter kann Benutzer und Gruppen hier nicht mehr ändern. Die von ihm angelegten Benutzer und Gruppen bleiben.",
  removeProvider: "Anbieter löschen",
  removeText: (users, sessions) =>
    `${counted(sessions, "Sitzung endet", "Sitzungen enden")}, und ${counted(
      users,
      "Benutzer kann sich nicht mehr",
      "Benutzer können sich nicht mehr",
    )} über diesen Anbieter anmelden. Die Benutzer und alles, was ihnen gehört, bleiben. Dies kann nicht rückgängig gemacht werden.`,
  onlyOpenid: "Nur OpenID-Connect-Anbieter können hier geändert werden.",
};
