import { counted } from "../../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in French. */
export const words: Words = {
  title: (name) => `Partager ${name}`,
  add: "Partager avec des personnes et des groupes",
  search: "Nom ou adresse e-mail",
  found: "Personnes et groupes",
  none: "Personne ne correspond.",
  noneMember:
    "Personne ne correspond. Vous pouvez partager avec les groupes dont vous faites partie. Les éditeurs de l’organisation peuvent partager avec des personnes.",
  addPerson: "Inviter une personne qui n’est pas encore ici",
  everyone: "Toute l’organisation",
  group: "Groupe",
  integration: "Intégration",
  somebody: "Une personne d’une autre sous-organisation",
  hasAccess: "a accès",
  back: "Choisir quelqu’un d’autre",
  right: "Droit",
  rights: {
    use: "Peut voir : ouvrir, filtrer et exporter",
    modify: "Peut modifier : aussi les graphiques",
    own: "Est propriétaire : aussi partager et supprimer",
  },
  datasets: "Données du tableau de bord",
  noDatasets: "Ce tableau de bord n’affiche pas encore de données.",
  counting: "Comptage des lignes",
  sees: (count, all) => `voit ${count} lignes sur ${all}`,
  seesAll: (all) => `voit les ${all} lignes`,
  seesNothing: "ne voit aucune ligne",
  seesPersonal: "voit des lignes qui dépendent de la personne",
  seesElsewhere: "non partagé ici, mais visible par un groupe",
  also: (filters, by) => `Aussi limité par ${by} : ${filters}.`,
  onlyAt: (filters) => `où ${filters}`,
  without: (charts) => `Sans ce jeu de données, ces graphiques n’ont pas de données : ${charts}.`,
  foreign: (name, charts) =>
    `Vous n’êtes pas propriétaire de ${name} et ne pouvez donc pas le partager. Si son propriétaire ne le fait pas, ces graphiques n’ont pas de données : ${charts}.`,
  unseen: (count) =>
    `${counted(count, "autre jeu de données de ce tableau de bord ne peut", "autres jeux de données de ce tableau de bord ne peuvent")} pas être partagé, faute d’accès.`,
  share: (name) => `Partager avec ${name}`,
  save: "Enregistrer les modifications",
  sharing: "Partage en cours",
  shared: (name) => `Partagé avec ${name}`,
  cannotChoose: "Choisissez une colonne, et ses valeurs ou sa plage.",
  nothingChanged: "Rien n’a été modifié.",
  mayBeStored:
    "La réponse n’est pas arrivée, l’enregistrement est donc incertain : tout ou rien. La liste ci-dessous montre ce qui vaut maintenant.",
  access: "Qui a accès",
  owner: "Propriétaire",
  onlyOwner: "Personne d’autre n’a encore accès.",
  onlyData: "voit seulement les données",
  change: "Modifier",
  changeOf: (name) => `Modifier ce que voit ${name}`,
  remove: "Retirer",
  removeOf: (name) => `Retirer ${name}`,
  removeTitle: (name) => `Ne plus partager avec ${name} ?`,
  removeText: (name) => `${name} perd immédiatement l’accès à ce tableau de bord.`,
  removeData: (datasets) =>
    `Ne plus partager les données non plus : ${datasets}. D’autres tableaux de bord perdent aussi ces lignes.`,
  removed: (name) => `Le partage avec ${name} est terminé`,
  viewAsOf: (name) => `Voir en tant que ${name}`,
  viewAs: "Voir en tant que",
  links: "Liens privés",
  embed: "Intégrer",
  embedText:
    "Affichez ce tableau de bord sur votre propre page, avec les lignes de chaque lecteur.",
  done: "Terminé",
};
