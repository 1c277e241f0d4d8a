import { counted, isolated } from "../../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in French. */
export const words: Words = {
  title: "Authentification",
  secondFactor: "Second facteur",
  isDemanded: "Obligatoire",
  isFree: "Facultatif",
  freeText:
    "Chacun peut ajouter une application d’authentification ou une clé d’accès sur sa page de compte.",
  demandedText:
    "Les personnes qui se connectent avec un mot de passe doivent aussi utiliser une application d’authentification ou une clé d’accès. Les connexions par un fournisseur et les jetons d’API ne sont pas concernés.",
  demand: "Exiger un second facteur",
  demandText:
    "Les personnes qui se connectent avec un mot de passe doivent ajouter un second facteur avant toute autre action, même dans les sessions ouvertes. Les connexions par un fournisseur et les jetons d’API ne sont pas concernés.",
  lackText:
    "Vous n’avez pas encore de second facteur. Si vous vous êtes connecté avec un mot de passe, vous ne pourrez rien faire d’autre avant d’en ajouter un.",
  ownLack: "Vous n’avez pas encore de second facteur.",
  addYours: "Ajouter",
  endDemand: "Rendre facultatif",
  endDemandText:
    "Les personnes peuvent de nouveau se connecter avec un seul mot de passe. Celles qui ont un second facteur le gardent.",
  demanded: "Un second facteur est maintenant obligatoire",
  demandEnded: "Un second facteur n’est plus obligatoire",
  bounds: "Adresses IP autorisées",
  anywhere: "De partout",
  anywhereText:
    "Les personnes peuvent se connecter, et leurs jetons d’API fonctionnent, depuis toute adresse.",
  boundText:
    "Les personnes ne peuvent se connecter, et leurs jetons d’API ne fonctionnent, que depuis ces réseaux. Les jetons d’intégration ont leurs propres listes.",
  networkCount: (count) => counted(count, "réseau", "réseaux"),
  changeAddresses: "Modifier les adresses",
  addressesText:
    "Les appels et les connexions depuis d’autres adresses sont refusés, même dans les sessions ouvertes. Les jetons d’intégration et les liens privés ne sont pas concernés.",
  addressList: "Adresses et réseaux",
  addressListHint:
    "Saisissez-en un par ligne, par exemple 203.0.113.7, 203.0.113.0/24 ou 2001:db8::/48. Laissez vide pour autoriser toutes les adresses.",
  leavesOut: (address) =>
    `La liste ne contient pas votre propre adresse, ${isolated(address)} : vous perdriez l’accès. Ajoutez-la, ou confirmez ci-dessous.`,
  confirmLockout: "J’ai un autre accès. Enregistrer quand même",
  addressesChanged: "Les adresses ont été modifiées",
  search: "Rechercher un fournisseur",
  name: "Nom",
  kind: "Type",
  state: "État",
  active: "Actif",
  inactive: "Inactif",
  unserved: "Stocké, non utilisé",
  none: "Aucun fournisseur",
  noneText:
    "Avec un fournisseur, les personnes se connectent avec leur compte d’entreprise. Tout fournisseur OpenID Connect convient.",
  nothingFound: "Aucun fournisseur ne correspond",
  count: (count) => counted(count, "fournisseur", "fournisseurs"),
  add: "Ajouter un fournisseur",
  absent: "Ce fournisseur n’existe pas, ou vous n’y avez pas accès",
  newTitle: "Nouveau fournisseur OpenID Connect",
  newText: "Le fournisseur reste inactif tant que vous ne l’avez pas testé et activé.",
  provider: "Fournisseur",
  nameHint: "Affiché sur la page de connexion.",
  issuer: "Émetteur",
  issuerHint: "L’adresse https où l’hôte lit le document de découverte.",
  clientId: "ID client",
  clientSecret: "Secret client",
  secretHint: "Sans secret, seul PKCE protège le client. Le secret n’est plus jamais affiché.",
  secretKept: "Un secret est stocké. Laissez vide pour le conserver.",
  removeSecret: "Retirer le secret stocké",
  scopes: "Portées (scopes)",
  scopesHint: "Séparez les portées par des espaces. L’une d’elles doit être openid.",
  hours: "Durée des sessions en heures",
  createUsers: "Créer un utilisateur pour les personnes qui se connectent la première fois",
  linkByEmail: "Associer les personnes à l’utilisateur existant de même adresse e-mail vérifiée",
  claims: "Droits issus des claims",
  claimsText:
    "À chaque connexion, les claims fixent ces valeurs de l’utilisateur, et peuvent ajouter ou retirer des droits. Laissez un claim vide si les propriétaires fixent la valeur eux-mêmes.",
  suborganizationClaim: "Claim de la sous-organisation",
  suborganizationHint:
    "Les personnes dont le claim ne contient pas de texte ne peuvent pas se connecter.",
  externalClaim: "Claim de l’ID SCIM",
  externalHint:
    "Utilisez sub, sauf si le fournisseur indique un autre claim. Entra ID utilise oid.",
  roleClaim: "Claim du rôle",
  groupsClaim: "Claim des groupes",
  groupsHint: "Seul le fournisseur décide qui fait partie des groupes nommés ici.",
  value: "Valeur du claim",
  means: "signifie",
  role: "Rôle",
  group: "Groupe",
  roles: { member: "Membre", editor: "Éditeur", owner: "Propriétaire" },
  addValue: "Ajouter une valeur",
  chooseGroup: "Choisir un groupe",
  searchGroups: "Rechercher un groupe",
  noGroup: "Aucun groupe ne correspond",
  parameters: "Paramètres issus des claims",
  parameter: "Paramètre",
  claim: "Claim",
  list: "Toujours une liste, même avec une seule valeur",
  addParameter: "Ajouter un paramètre",
  remove: "Retirer",
  removeValue: (name) => `Retirer ${isolated(name)}`,
  save: "Enregistrer",
  create: "Créer",
  saved: "Enregistré",
  savingEnds: (count) =>
    `L’enregistrement met fin à ${counted(count, "session ouverte", "sessions ouvertes")} par ce fournisseur.`,
  addresses: "Adresses à saisir chez le fournisseur",
  redirect: "Adresse de redirection",
  signOn: "Adresse de connexion",
  scim: "Adresse SCIM",
  copy: "Copier",
  copyNamed: (name) => `Copier : ${name}`,
  test: "Tester le fournisseur",
  testing: "Lecture du document de découverte…",
  passed: "Les personnes peuvent se connecter par ce fournisseur",
  failed: "Les personnes ne peuvent pas se connecter par ce fournisseur",
  endpoints: {
    authorization_endpoint: "Page de connexion",
    token_endpoint: "Jetons",
    userinfo_endpoint: "Infos utilisateur",
    jwks_uri: "Clés",
  },
  switchOn: "Activer",
  switchOff: "Désactiver",
  switchOffText: (sessions) =>
    `${counted(sessions, "session prend fin", "sessions prennent fin")}, et personne ne peut se connecter par ce fournisseur tant qu’il n’est pas réactivé.`,
  depends: (users, sessions) =>
    `${counted(users, "utilisateur se connecte", "utilisateurs se connectent")} par ce fournisseur ; ${counted(sessions, "session est ouverte", "sessions sont ouvertes")}.`,
  provisioning: "Utilisateurs et groupes par SCIM",
  provisioningText:
    "Un fournisseur compatible avec SCIM 2.0 peut gérer ici des utilisateurs et des groupes. Saisissez cette adresse et un jeton dans les paramètres du fournisseur.",
  provisioned: (users, groups) =>
    `Il gère ${counted(users, "utilisateur", "utilisateurs")} et ${counted(groups, "groupe", "groupes")}.`,
  makeToken: "Créer un jeton",
  renewToken: "Créer un nouveau jeton",
  renewText:
    "Le jeton actuel cesse immédiatement de fonctionner. Saisissez le nouveau dans les paramètres du fournisseur.",
  tokenText: "Saisissez ce jeton dans les paramètres du fournisseur. Il n’est affiché qu’une fois.",
  removeToken: "Retirer le jeton",
  removeTokenText:
    "Le fournisseur ne peut plus modifier les utilisateurs et les groupes ici. Ceux qu’il a créés sont conservés.",
  removeProvider: "Supprimer le fournisseur",
  removeText: (users, sessions) =>
    `${counted(sessions, "session prend fin", "sessions prennent fin")}, et ${counted(
      users,
      "utilisateur ne peut plus se connecter",
      "utilisateurs ne peuvent plus se connecter",
    )} par ce fournisseur. Les utilisateurs et tout ce qu’ils possèdent sont conservés. Cette action est irréversible.`,
  onlyOpenid: "Seuls les fournisseurs OpenID Connect peuvent être modifiés ici.",
};
