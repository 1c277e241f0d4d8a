import { counted } from "../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in French. */
export const words: Words = {
  title: "Plugins",
  intro:
    "Les sources de données que cette organisation peut connecter, chacune avec le résultat de son contrôle de conformité.",
  name: "Nom",
  slug: "Slug",
  protocol: "Protocole",
  askedVersion: "Demander au plugin",
  registered: "Plugin enregistré",
  state: "Vérification",
  checked: "Contrôlé",
  never: "jamais",
  states: { verified: "vérifié", failed: "en échec", unchecked: "non contrôlé" },
  register: "Enregistrer un plugin",
  registerTitle: "Enregistrer un plugin",
  address: "Adresse",
  addressHint: "Où le plugin est joignable, par exemple https://plugin.example.com.",
  secret: "Secret",
  secretHint:
    "L’hôte envoie le secret dans l’en-tête X-Secret et le stocke chiffré. Laissez vide pour que l’hôte en génère un.",
  secretTitle: "Le secret du plugin",
  secretOnce: "Démarrez votre plugin avec ce secret. Il n’est affiché qu’une fois.",
  newSecret: "Nouveau secret",
  newSecretText:
    "L’hôte et le plugin acceptent aussi l’ancien secret pendant la durée choisie. Réglez le nouveau secret dans votre plugin avant la fin de ce délai.",
  newSecretHint: "Laissez vide pour en générer un.",
  keepFormer: "Accepter l’ancien secret pendant",
  hours: (count) =>
    count === 0
      ? "aucun délai"
      : count % 24 > 0
        ? counted(count, "heure", "heures")
        : counted(count / 24, "jour", "jours"),
  formerUntil: (at) => `L’ancien secret est valable jusqu’au ${at}.`,
  endFormer: "Le révoquer maintenant",
  formerEnded: "L’ancien secret ne fonctionne plus",
  newSecretOnce: "Réglez ce secret dans votre plugin. Il n’est affiché qu’une fois.",
  secretChanged: "Le secret a été modifié",
  check: "Contrôler maintenant",
  checking: "Le contrôle a démarré ; son résultat s’affichera ici.",
  proved: "Vérifié",
  wrong: "Problèmes",
  nothingWrong: "Aucun problème trouvé.",
  rows: (rows, datasets) => `Contrôlé avec ${rows} lignes de ${datasets} jeux de données.`,
  kit: (version) => `Kit, version ${version}`,
  noReport: "Le kit n’a pas encore contrôlé ce plugin : l’hôte vérifie de nouveau chaque filtre.",
  gone: "Ce plugin n’existe pas, ou vous ne pouvez pas le voir.",
  empty: "Aucun plugin enregistré",
  emptyText:
    "Un plugin connecte une source de données à Manifold. Enregistrez un plugin par son adresse.",
  close: "Fermer",
  calls: "Appels",
  callCount: "Appels",
  failures: "En échec",
  median: "Temps médian",
  slow: "95e centile",
  lastCall: "Dernier appel",
  since: (at) => `Depuis le démarrage de cet hôte, ${at}.`,
  report: "Rapport",
  available: "Plugins disponibles",
  availableText:
    "Sources de données publiées par Manifold ou par d’autres. Le kit de conformité a contrôlé chacune avant son ajout à la liste.",
  search: "Rechercher un plugin",
  found: (count) => (count === "1" ? "1 plugin" : `${count} plugins`),
  nothingFound: "Aucun plugin ne correspond",
  nothingFoundText: "Cherchez un autre mot, ou écrivez un plugin pour votre source.",
  listFailed: "La liste des plugins n’a pas pu être chargée. Réessayez.",
  kinds: {
    "built-in": "intégré",
    connector: "connecteur",
    plugin: "plugin",
    example: "exemple",
  },
  by: (maintainer, license) => `Par ${maintainer}, licence ${license}`,
  provedCount: (count) => counted(count, "propriété prouvée", "propriétés prouvées"),
  checkedVersion: (version, at) => `version ${version}, contrôlée le ${at}`,
  install: (name) => `npm install ${name}`,
  connect: (name) => `Connecter ${name}`,
  visit: (name) => `Site web de ${name}`,
  deprecated: "Obsolète :",
};
