import type { Words } from "./en.ts";

/** The words in French. */
export const words: Words = {
  close: "Fermer",
  cancel: "Annuler",
  copy: "Copier",
  done: "Terminé",
  makePair: "Créer un jeton d’API",
  pairText:
    "Une clé et un jeton pour l’un de vos programmes, par exemple votre serveur. Il pourra faire tout ce que vous pouvez faire.",
  pairFor: "Usage",
  pairForHint: "Par exemple : import nocturne.",
  pairDays: "Durée de validité en jours",
  pairDaysHint: "Laissez ce champ vide pour la durée la plus longue que cet hôte autorise.",
  pairAddresses: "Adresses IP autorisées",
  pairAddressesHint:
    "Une adresse ou un réseau par ligne, par exemple 203.0.113.0/24. Laissez ce champ vide pour autoriser toutes les adresses.",
  pairMade: "Votre jeton d’API",
  pairOnce: "Copiez maintenant la clé et le jeton. Ils ne sont affichés qu’une seule fois.",
  copied: "Copié",
  copyRequestId: "Copier l’identifiant de la requête",
  failed: "Une erreur s’est produite",
  loading: "Chargement",
  tryAgain: "Réessayer",
  noRights: "Vous n’avez pas accès à ce contenu",
  noRightsText:
    "Demandez l’accès à un propriétaire de votre organisation ou connectez-vous avec un autre compte.",
  undo: "Annuler",
  storedWithWarnings: "L’enregistrement a réussi, mais l’hôte signale :",
};
