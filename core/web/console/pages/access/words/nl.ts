import type { Words } from "./en.ts";

/** The words in Dutch. */
export const words: Words = {
  title: "People and access",
  intro:
    "See who belongs to your organization, what people and tokens can see, and who changed what.",
  views: "Sections of people and access",
  tabs: {
    people: "People",
    groups: "Groups",
    suborganizations: "Suborganizations",
    integrations: "Integrations",
    signon: "Sign-on",
    tokens: "Tokens",
    charts: "Charts",
    audit: "Audit",
    usage: "Usage",
  },
  forOwners: "Only owners of the organization can see this",
  forOwnersText:
    "Ask an owner of your organization to look it up for you, or to make you an owner.",
  toAccess: "People and access",
};
