import type { Words } from "./en.ts";

/** The words in Dutch. */
export const words: Words = {
  unreachable: "De host is niet bereikbaar. Controleer de verbinding en probeer het opnieuw.",
  lost: "De verbinding met de host is verbroken. Stel je vraag opnieuw.",
  status: (status) => `De host antwoordde met status ${status}.`,
  noReason: (status) => `De host antwoordde met status ${status} en gaf geen reden.`,
  noPasskey: "De browser gaf geen passkey terug. Probeer het opnieuw.",
};
