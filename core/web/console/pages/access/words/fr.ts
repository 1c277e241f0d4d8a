import type { Words } from "./en.ts";

/** The words in French. */
export const words: Words = {
  title: "Personnes et accès",
  intro:
    "Voyez qui fait partie de votre organisation, ce que les personnes et les jetons peuvent voir, et qui a modifié quoi.",
  views: "Sections des personnes et de l’accès",
  tabs: {
    people: "Personnes",
    groups: "Groupes",
    suborganizations: "Sous-organisations",
    integrations: "Intégrations",
    signon: "Authentification",
    tokens: "Jetons",
    charts: "Graphiques",
    audit: "Audit",
    usage: "Utilisation",
  },
  forOwners: "Seuls les propriétaires de l’organisation peuvent voir cette page",
  forOwnersText:
    "Demandez à un propriétaire de votre organisation de la consulter pour vous, ou de vous nommer propriétaire.",
  toAccess: "Personnes et accès",
};
