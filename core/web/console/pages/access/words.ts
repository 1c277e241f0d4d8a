import { chooseWords } from "../../language/index.ts";

/** The words of the page itself; each room has its own. */
export const words = chooseWords({
  en: {
    title: "People and access",
    intro: "Who is in your organization, what they and their tokens see, and who changed what.",
    views: "Views of people and access",
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
    forOwners: "This is for owners of the organization",
    forOwnersText: "Ask an owner of your organization to look here, or to make you one.",
    toPeople: "People",
  },
});
