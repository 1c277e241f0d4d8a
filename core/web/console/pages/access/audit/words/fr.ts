import { counted } from "../../../../language/index.ts";
import type { Noun, Subject } from "../told.ts";
import type { Words } from "./en.ts";

/** Returns a record in the genitive, with its article contracted. */
const of = (record: Subject): Subject => {
  const { named, some } = record.noun;
  const isElided = named === "" && /^[aeiouâàéèêëîïôöùûœ]/i.test(record.name ?? "");
  const contracted = isElided
    ? "d’"
    : named.startsWith("le ")
      ? `du ${named.slice(3)}`
      : `de ${named}`.trim();
  return { ...record, noun: { ...record.noun, named: contracted, some: `d’${some}` } };
};
/** Returns a record in the dative, with its article contracted. */
const to = (record: Subject): Subject => {
  const { named, some } = record.noun;
  const contracted = named.startsWith("le ") ? `au ${named.slice(3)}` : `à ${named}`.trim();
  return { ...record, noun: { ...record.noun, named: contracted, some: `à ${some}` } };
};

const links: Words["links"] = {
  shared: (what, whom) => ["a partagé ", what, " avec ", whom],
  unshared: (what, whom) => ["ne partage plus ", what, " avec ", whom],
  joined: (what, where) => ["a ajouté ", what, " ", to(where)],
  left: (what, where) => ["a retiré ", what, " ", of(where)],
  ranked: (person) => ["a défini le rôle ", of(person)],
  opened: (dashboard) => ["a créé un lien privé vers ", dashboard],
  scheduled: (what) => ["a planifié ", what],
  unscheduled: (what) => ["a retiré ", what, " de sa planification"],
  linked: (one, two) => ["a associé ", one, " avec ", two],
  unlinked: (one, two) => ["a dissocié ", one, " ", of(two)],
};

const events: Words["events"] = {
  create: (record) => ["a créé ", record],
  update: (record) => ["a modifié ", record],
  delete: (record) => ["a supprimé ", record],
  test: (record) => ["a testé ", record],
  get: (record) => ["a lu ", record],
  explain: (record) => ["a vérifié qui peut voir ", record],
  list: () => ["a consulté les jetons d’intégration"],
  preview: (record) => ["a prévisualisé les messages ", of(record)],
  backtest: (record) => ["a essayé ", record, " sur des données passées"],
  validate: (record) => ["a vérifié une modification ", of(record)],
  resend: () => ["a renvoyé un message"],
  "create authorization": (record) => ["a émis ", record],
  "delete authorization": (record) =>
    record.name === undefined ? ["a mis fin à un jeton ou à une session"] : ["a révoqué ", record],
  "explain authorization": (record) => ["a vérifié ce que voit ", record],
  "create user": (record) => ["a ajouté ", record],
  sign_in_failed: (record) => ["n’a pas pu se connecter en tant que ", record],
  second_factor_add: () => ["a ajouté un second facteur"],
  second_factor_remove: (record) => ["a retiré un second facteur ", of(record)],
  recovery_codes_make: () => ["a créé de nouveaux codes de récupération"],
  owner_recover: () => ["a rétabli l’accès du propriétaire"],
  sign_in_link_create: (record) => ["a créé un lien de connexion pour ", record],
  secret_redirect: (record) => ["a envoyé à une autre adresse le secret ", of(record)],
  chart_approve: (record) => ["a approuvé ", record],
  chart_withdraw: (record) => ["a retiré l’approbation ", of(record)],
  invitation_create: (record) => ["a invité ", record],
  password_link_create: (record) => ["a demandé un lien de nouveau mot de passe pour ", record],
  password_set: () => ["a choisi un mot de passe avec un lien à usage unique"],
};

const nouns: Readonly<Record<string, Noun>> = {
  account: { named: "la connexion", some: "une connexion" },
  acceleration: { named: "l’accélération", some: "une accélération", of: "pour" },
  alert: { named: "l’alerte", some: "une alerte" },
  authorization: { named: "le jeton", some: "un jeton" },
  channel: { named: "le canal", some: "un canal" },
  collection: { named: "la collection", some: "une collection" },
  column: { named: "la colonne", some: "une colonne" },
  embedfiltergroup: {
    named: "le groupe de filtres des jetons d’intégration",
    some: "un groupe de filtres des jetons d’intégration",
  },
  formula: { named: "la formule", some: "une formule" },
  group: { named: "le groupe", some: "un groupe" },
  hierarchylevel: { named: "le niveau d’une hiérarchie", some: "un niveau d’une hiérarchie" },
  integration: { named: "l’intégration", some: "une intégration" },
  organization: { named: "l’organisation", some: "une organisation" },
  plugin: { named: "le plugin", some: "un plugin" },
  schedule: { named: "la planification", some: "une planification", of: "pour" },
  savedquestion: { named: "la question enregistrée", some: "une question enregistrée", of: "sur" },
  savedview: { named: "la vue enregistrée", some: "une vue enregistrée", of: "dans" },
  securable: {
    named: "le jeu de données ou tableau de bord",
    some: "un jeu de données ou tableau de bord",
  },
  customchart: { named: "le graphique", some: "un graphique" },
  share: { named: "le lien privé", some: "un lien privé", of: "vers" },
  ssoconfig: {
    named: "le fournisseur d’authentification",
    some: "un fournisseur d’authentification",
  },
  tag: { named: "l’étiquette", some: "une étiquette" },
  theme: { named: "le thème", some: "un thème" },
  user: { named: "", some: "une personne" },
  dataset: { named: "le jeu de données", some: "un jeu de données" },
  dashboard: { named: "le tableau de bord", some: "un tableau de bord" },
  apitoken: { named: "le jeton d’API", some: "un jeton d’API" },
  embedtoken: { named: "le jeton d’intégration de", some: "un jeton d’intégration", of: "sur" },
};

const resources: Readonly<Record<string, string>> = {
  account: "connexion",
  acceleration: "accélération",
  alert: "alerte",
  authorization: "jeton",
  channel: "canal",
  collection: "collection",
  column: "colonne",
  embedfiltergroup: "groupe de filtres des jetons d’intégration",
  formula: "formule",
  group: "groupe",
  hierarchylevel: "niveau d’une hiérarchie",
  integration: "intégration",
  organization: "organisation",
  plugin: "plugin",
  schedule: "planification",
  savedquestion: "question enregistrée",
  savedview: "vue enregistrée",
  securable: "jeu de données ou tableau de bord",
  customchart: "graphique",
  share: "lien privé",
  ssoconfig: "fournisseur d’authentification",
  tag: "étiquette",
  theme: "thème",
  user: "personne",
};

const members: Readonly<Record<string, string>> = {
  contents: "graphiques",
  feature_overrides: "fonctions",
  parameter_overrides: "paramètres",
  account_overrides: "paramètres de connexion",
  custom_metadata: "métadonnées",
  allowed_addresses: "adresses autorisées",
  meta_sync_interval: "synchronisation",
  old_password: "ancien mot de passe",
  name: "nom",
  description: "description",
  email: "adresse e-mail",
  role: "rôle",
  suborganization: "sous-organisation",
  password: "mot de passe",
  query: "question",
  active: "pause",
  frequency_unit: "intervalle",
  frequency_quantity: "nombre d’intervalles",
  time_of_day: "heure",
  timezone: "fuseau horaire",
  export: "fichier",
  started_at: "début",
  state: "choix",
  shared: "partage",
  is_default: "vue par défaut",
  config: "réglages",
  type: "type",
  format: "format",
  expression: "expression",
  css: "styles",
  theme: "thème",
  is_published: "publication",
  hidden: "visibilité",
};

/** The words in French. */
export const words: Words = {
  title: "Audit",
  when: "Quand",
  who: "Qui",
  action: "Action",
  resource: "Type d’élément",
  record: "Élément",
  changed: "Modifié",
  target: "Autre élément",
  address: "Depuis l’adresse",
  request: "Requête",
  token: "Jeton utilisé",
  any: "tous",
  anyone: "tout le monde",
  chooseWho: "Choisir une personne",
  searchPeople: "Rechercher une personne",
  nobody: "Aucune personne ne correspond",
  from: "Du",
  to: "Au",
  recordHint: "ID de l’élément",
  clear: "Effacer les filtres",
  filters: "Filtres",
  none: "Aucune modification enregistrée",
  nothingFound: "Aucune modification ne correspond à ces filtres",
  count: (count) => counted(count, "modification", "modifications"),
  detail: "Détails de la modification",
  openRecord: "Ouvrir l’élément",
  openTarget: "Ouvrir l’autre élément",
  allOf: "Toutes les modifications de cet élément",
  copyRequest: "Copier l’ID de la requête",
  onlyDone:
    "Seules les modifications effectuées figurent ici. Les appels refusés figurent dans le journal de l’hôte.",
  exportCsv: "Exporter en CSV",
  exportJson: "Exporter en JSON",
  exporting: (read, count) => `${read} modifications sur ${count}`,
  stop: "Arrêter",
  cut: (count) =>
    `Le fichier contient les ${count} modifications les plus récentes. Restreignez les filtres pour exporter les plus anciennes.`,
  what: "Ce qui s’est passé",
  actions: {
    create: "créé",
    update: "modifié",
    delete: "supprimé",
    associate: "partagé ou lié",
    dissociate: "partage ou lien retiré",
    explain: "consulté",
    test: "testé",
  },
  resources,
  nouns,
  members,
  links,
  events,
  some: (resource) => `un élément de ${resource}`,
  did: (action, record) => [`${action} : `, record],
  signedIn: ["s’est connecté"],
  signedOut: ["s’est déconnecté"],
  sawAs: (record, person) => ["a consulté ", record, " comme le voit ", person],
  changedMembers: (record, changed) => ["a modifié ", record, ` (${changed})`],
  ids: "ID pour l’assistance",
  deletedPerson: "Une personne supprimée",
  afterOf: (record) => record,
};
