import type { Words } from "./en.ts";

/** The words in French. */
export const words: Words = {
  rights: {
    read: "peut voir",
    use: "peut voir",
    modify: "peut modifier",
    own: "est propriétaire",
  },
  noValue: "aucune valeur",
  isOneOf: (column, values, more) =>
    `${column} est ${
      more > 0
        ? `${values.join(", ")} ou l’une de ${more} autres valeurs`
        : values.join(" ou ") || "vide"
    }`,
  personal: (column, parameter) =>
    `${column} est « ${parameter.replace(/^metadata\./, "")} » de la personne`,
  viewAs: "Voir en tant que",
  viewAsTitle: (name) => `Ce que voit ${name}`,
  viewAsText:
    "Affiché avec une clé temporaire qui voit les mêmes lignes et ne modifie rien. Elle expire après 15 minutes.",
  viewAsClosed: (name) => `${name} ne voit pas ce tableau de bord.`,
  viewAsMissing: (name, datasets) =>
    `${name} ne voit pas ces jeux de données, leurs graphiques sont donc sans données : ${datasets}.`,
  viewAsForeign: (datasets) =>
    `Vous n’êtes pas propriétaire de ces jeux de données, leurs graphiques restent donc vides ici : ${datasets}.`,
  viewAsWithheld: (name, datasets) =>
    `Les lignes de ces jeux de données peuvent dépendre de la personne, leurs graphiques restent donc vides ici : ${datasets}. Un propriétaire de l’organisation peut les voir en tant que ${name}.`,
  viewAsNarrower:
    "Les filtres de votre organisation pour les pages intégrées s’appliquent aussi ici : certaines lignes peuvent manquer.",
  close: "Fermer",
  modes: {
    all: "Toutes les lignes",
    some: "Lignes où",
    kept: "Garder les lignes actuelles",
    none: "Non partagé",
  },
  column: "Colonne",
  chooseColumn: "Choisir une colonne",
  unseenColumn: "une colonne que vous ne pouvez pas voir",
  daysInUtc: "Les jours commencent à minuit UTC, pour tout le monde.",
  noColumns: "Ce jeu de données n’a pas de colonne qui permette de choisir des lignes.",
  inviteTitle: "Inviter une personne",
  invite: "Inviter",
  email: "Adresse e-mail",
  name: "Nom",
  inviteNow:
    "Envoyer un lien pour choisir un mot de passe. Inutile pour les personnes qui se connectent par un fournisseur.",
  invited: (email) => `Une invitation a été envoyée à ${email}`,
  linkFor: (name) => `Lien pour ${name}`,
  linkText:
    "Cet hôte n’a pas pu envoyer d’e-mail : transmettez ce lien vous-même. Il permet à la personne de choisir un mot de passe. Il fonctionne une seule fois, pendant sept jours, et n’est affiché que maintenant.",
};
