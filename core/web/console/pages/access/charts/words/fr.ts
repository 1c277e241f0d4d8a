import { counted, isolated } from "../../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in French. */
export const words: Words = {
  title: "Graphiques personnalisés",
  search: "Rechercher un graphique personnalisé",
  name: "Nom",
  author: "Auteur",
  status: "Statut",
  changed: "Modifié",
  none: "Aucun graphique personnalisé",
  noneText:
    "Un graphique personnalisé est un script qui dessine les lignes d’un élément de tableau de bord. Il se crée avec l’API.",
  nothingFound: "Aucun graphique personnalisé ne correspond",
  count: (count) => counted(count, "graphique", "graphiques"),
  statuses: {
    draft: "Brouillon : ne s’exécute que pour son auteur",
    changed: "Modifié : les autres voient la version approuvée",
    approved: "Approuvé",
  },
  open: "Examiner",
  review: (name) => `Examiner ${isolated(name)}`,
  risk: "Un graphique personnalisé peut divulguer les données qu’il dessine. Son script lit chaque ligne de son élément, avec les droits de la personne qui consulte le tableau de bord. Le cadre ne peut pas envoyer de requêtes, mais un navigateur peut résoudre des noms d’hôte, et un nom d’hôte peut emporter des données. N’approuvez que des scripts que vous avez lus, de personnes à qui vous confiez les données.",
  script: "Script",
  saved: (at) => `Enregistré le ${at}`,
  approve: "Approuver cette version",
  withdraw: "Retirer l’approbation",
  approved: (name) => `${isolated(name)} s’exécute maintenant pour tous`,
  withdrawn: (name) => `${isolated(name)} ne s’exécute plus que pour son auteur`,
  absent: "Ce graphique n’a plus aucune version",
};
