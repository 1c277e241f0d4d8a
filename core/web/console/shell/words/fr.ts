import type { Words } from "./en.ts";

/** The words in French. */
export const words: Words = {
  pages: {
    "": "Accueil",
    explore: "Explorer",
    ask: "Demander",
    dashboards: "Tableaux de bord",
    data: "Données",
    alerts: "Alertes",
    plugins: "Plugins",
    access: "Accès",
    account: "Compte",
  },
  navigation: "Pages",
  skip: "Aller au contenu",
  menu: "Menu",
  search: "Rechercher",
  searchHint: "Colonne, graphique, action…",
  searchNothing: "Aucun résultat.",
  account: "Compte",
  signOut: "Se déconnecter",
  colors: "Couleurs",
  useColors: {
    system: "Utiliser les couleurs du système",
    light: "Utiliser des couleurs claires",
    dark: "Utiliser des couleurs sombres",
  },
  colorChoices: {
    system: "Comme le système",
    light: "Couleurs claires",
    dark: "Couleurs sombres",
  },
  browserLanguage: "Langue du navigateur",
  useLanguage: (name) => `Langue : ${name}`,
  newDashboard: "Nouveau tableau de bord",
  upload: "Importer un fichier",
  connect: "Connecter une source",
  newAlert: "Nouvelle alerte",
  invite: "Inviter des personnes",
  columnOf: (dataset) => `Colonne de ${dataset}`,
  chartIn: (dashboard) => `Graphique dans ${dashboard}`,
  kinds: {
    dataset: "Jeu de données",
    dashboard: "Tableau de bord",
    alert: "Alerte",
    page: "Page",
    action: "Action",
  },
  favorite: (kind) => `${kind}, favori`,
  dropHere: "Déposez des fichiers pour les importer",
  notFound: "Page introuvable",
  notFoundText: "L’adresse contient peut-être une erreur, ou la page a été supprimée.",
  goHome: "Aller à l’accueil",
  signIn: "Se connecter",
  signInTitle: "Se connecter à Manifold",
  byPassword: "E-mail",
  byPair: "Paire de clés",
  email: "E-mail",
  password: "Mot de passe",
  code: "Code",
  recoveryCode: "Code de secours, si vous en avez un",
  codeHint:
    "Saisissez les six chiffres de votre application d’authentification ou un code de secours.",
  forgot: "Mot de passe oublié ?",
  forgotText:
    "Saisissez votre adresse e-mail. Si elle correspond ici à un mot de passe, nous envoyons un lien pour en choisir un nouveau.",
  forgotNoMail:
    "Cet hôte n’envoie pas d’e-mails. Demandez à un propriétaire de votre organisation un lien pour choisir un nouveau mot de passe.",
  sendLink: "Envoyer le lien",
  linkSent:
    "Si cette adresse correspond ici à un mot de passe, un lien est en route. Il fonctionne une seule fois, pendant une heure.",
  toSignIn: "Retour à la connexion",
  choosePassword: "Choisir un mot de passe",
  welcome: (name) =>
    `Bienvenue, ${name}. Choisissez le mot de passe avec lequel vous vous connecterez.`,
  newPasswordFor: (name) => `Choisissez un nouveau mot de passe pour ${name}.`,
  newPassword: "Nouveau mot de passe",
  newPasswordHint:
    "Au moins 10 caractères. Plusieurs mots sont faciles à retenir et difficiles à deviner.",
  savePassword: "Enregistrer le mot de passe",
  passwordChosen: "Votre mot de passe a été enregistré. Utilisez-le pour vous connecter.",
  passwordLinkUsed:
    "Ce lien a déjà été utilisé ou a expiré. Demandez-en un nouveau sous « Mot de passe oublié ? » ou adressez-vous à un propriétaire de votre organisation.",
  passkey: "Se connecter avec une clé d’accès",
  key: "Clé",
  token: "Jeton",
  pairHint:
    "L’hôte a affiché une paire de clés lors de son premier démarrage. Pour obtenir plutôt un lien, exécutez « manifold open » sur la machine de l’hôte.",
  sessionEnded: "Votre session a pris fin. Connectez-vous pour reprendre là où vous en étiez.",
  linkUsed:
    "Ce lien de connexion a expiré, a déjà été utilisé ou appartient à une autre machine. Pour en obtenir un nouveau, exécutez « manifold open » sur la machine de l’hôte, dans le dossier où l’hôte a été démarré.",
  signingIn: "Connexion en cours",
  signOn: "Se connecter avec votre compte d’entreprise",
  signOnBy: (name) => `Se connecter avec ${name}`,
  signOnFailures: {
    SIGN_ON_REFUSED:
      "Votre compte d’entreprise n’a pas d’accès ici. Demandez l’accès à un propriétaire de votre organisation.",
    SIGN_ON_UNKNOWN:
      "Ce fournisseur de connexion n’existe pas ou est désactivé. Adressez-vous à un propriétaire de votre organisation.",
    SIGN_ON_PROVIDER_FAILED:
      "Le service de connexion de votre entreprise ne répond pas. Réessayez dans un instant.",
  },
  signOnFailed: "La connexion avec votre compte d’entreprise a échoué. Réessayez.",
  signOnRequest: (id) => `Identifiant de la requête : ${id}`,
};
