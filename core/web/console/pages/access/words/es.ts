import type { Words } from "./en.ts";

/** The words in Spanish. */
export const words: Words = {
  title: "Personas y acceso",
  intro:
    "Vea quién pertenece a su organización, qué pueden ver las personas y los tokens, y quién cambió qué.",
  views: "Secciones de personas y acceso",
  tabs: {
    people: "Personas",
    groups: "Grupos",
    suborganizations: "Suborganizaciones",
    integrations: "Integraciones",
    signon: "Inicio de sesión",
    tokens: "Tokens",
    charts: "Gráficos",
    audit: "Auditoría",
    usage: "Uso",
  },
  forOwners: "Solo los propietarios de la organización pueden ver esto",
  forOwnersText:
    "Pida a un propietario de su organización que lo consulte por usted o que le haga propietario.",
  toAccess: "Personas y acceso",
};
