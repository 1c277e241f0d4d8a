import type { Words } from "./en.ts";

/** The words in Dutch. */
export const words: Words = {
  title: "Mensen en toegang",
  intro:
    "Bekijk wie bij je organisatie horen, wat mensen en tokens kunnen zien, en wie wat heeft gewijzigd.",
  views: "Onderdelen van mensen en toegang",
  tabs: {
    people: "Mensen",
    groups: "Groepen",
    suborganizations: "Suborganisaties",
    integrations: "Integraties",
    signon: "Aanmelding",
    tokens: "Tokens",
    charts: "Grafieken",
    audit: "Audit",
    usage: "Gebruik",
  },
  forOwners: "Alleen eigenaren van de organisatie kunnen dit zien",
  forOwnersText:
    "Vraag een eigenaar van je organisatie om het voor je op te zoeken, of om je eigenaar te maken.",
  toAccess: "Mensen en toegang",
};
