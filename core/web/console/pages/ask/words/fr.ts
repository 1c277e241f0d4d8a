import { counted } from "../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in French. */
export const words: Words = {
  title: "Demander",
  intro:
    "Posez votre question avec vos propres mots. Chaque réponse est accompagnée de sa requête, que vous pouvez lire, modifier et enregistrer.",
  question: "Votre question",
  questionHint: "Par exemple : ventes par région l’année dernière",
  datasets: "Sur",
  anyDataset: "Tous les jeux de données que vous pouvez voir",
  ofDashboard: (name: string) => `Données de ${name}`,
  ask: "Demander",
  asking: "Le modèle rédige une requête",
  writing: "Le modèle explique la réponse",
  stopped: "Arrêté. Cette réponse n’est pas conservée dans la conversation.",
  stop: "Arrêter",
  unavailable: "Aucun modèle n’est configuré",
  unavailableText:
    "L’opérateur de cet hôte peut en configurer un avec MANIFOLD_AI_URL, MANIFOLD_AI_KEY et MANIFOLD_AI_MODEL. Tout le reste fonctionne sans modèle.",
  explore: "Explorer les données",
  you: "Vous :",
  choose: "Faites un choix",
  struck: (count: number) =>
    count === 1
      ? "Un nombre n’est pas confirmé par les données et a été remplacé par [?]."
      : `${count} nombres ne sont pas confirmés par les données et ont été remplacés par [?].`,
  cut: "La réponse contient plus de lignes que celles affichées ici.",
  query: "La requête",
  showQuery: "Afficher la requête",
  hideQuery: "Masquer la requête",
  queryHint: "Modifiez la requête, puis relancez-la. Elle s’exécute avec vos propres droits.",
  askAgain: "Exécuter cette requête",
  notJson: "La requête doit être un objet JSON.",
  openInExplore: "Ouvrir dans Explorer",
  keep: "Enregistrer dans un tableau de bord",
  kept: (name: string) => `Enregistré dans ${name}`,
  notKept: (problem: string) =>
    `Cette requête ne peut pas être enregistrée dans un tableau de bord : ${problem}.`,
  answer: "Réponse",
  table: "Lignes",
  rows: "Lignes",
  formula: "Formule",
  noRows: "Aucune ligne ne correspond.",
  describe: {
    title: (name: string) => `Décrire ${name}`,
    intro:
      "Un modèle lit les noms et propose des descriptions. Seules les propositions que vous acceptez sont enregistrées.",
    suggest: "Proposer des descriptions",
    suggesting: "Le modèle rédige des descriptions",
    of: "Décrit",
    now: "Actuellement",
    suggested: "Proposition",
    accept: "Accepter",
    acceptThis: (name: string) => `Accepter la description de ${name}`,
    none: "–",
    dataset: "le jeu de données",
    store: (count: number) => `Enregistrer ${counted(count, "description", "descriptions")}`,
    stored: (count: number) =>
      counted(count, "description enregistrée", "descriptions enregistrées"),
    same: "Toutes les propositions sont identiques aux descriptions actuelles.",
    all: "Tout accepter",
    gone: "Jeu de données introuvable",
    goneText: "Il a été supprimé, ou vous n’y avez pas accès.",
    back: "Retour au jeu de données",
  },
};
