import { counted, isolated } from "../../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in Dutch. */
export const words: Words = {
  title: "Eigen grafieken",
  search: "Eigen grafieken zoeken",
  name: "Naam",
  author: "Auteur",
  status: "Status",
  changed: "Gewijzigd",
  none: "Nog geen eigen grafieken",
  noneText:
    "Een eigen grafiek is een script dat de rijen van een dashboarditem tekent. Eigen grafieken worden via de API gemaakt.",
  nothingFound: "Geen eigen grafieken gevonden",
  count: (count) => counted(count, "grafiek", "grafieken"),
  statuses: {
    draft: "Concept: werkt alleen voor de auteur",
    changed: "Gewijzigd: anderen zien de goedgekeurde versie",
    approved: "Goedgekeurd",
  },
  open: "Beoordelen",
  review: (name) => `${isolated(name)} beoordelen`,
  risk: "Een eigen grafiek kan de gegevens lekken die zij tekent. Het script leest elke rij van het item, met de rechten van wie het dashboard bekijkt. Het frame kan geen verzoeken sturen, maar een browser kan hostnamen opzoeken, en een hostnaam kan gegevens naar buiten brengen. Keur alleen scripts goed die je hebt gelezen, van mensen aan wie je de gegevens toevertrouwt.",
  script: "Script",
  saved: (at) => `Opgeslagen ${at}`,
  approve: "Deze versie goedkeuren",
  withdraw: "Goedkeuring intrekken",
  approved: (name) => `${isolated(name)} werkt nu voor iedereen`,
  withdrawn: (name) => `${isolated(name)} werkt nu alleen voor de auteur`,
  absent: "Deze grafiek heeft geen versies meer",
};
