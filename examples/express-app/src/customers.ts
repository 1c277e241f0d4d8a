// src/customers.ts
import type { ThemeDefinition } from "@manifold-analytics/client";

/** A customer of the app. Its rows in the dataset have its id in the column `tenant`. */
export interface Customer {
  readonly id: string;
  readonly name: string;
  /** Language of the customer's users, such as `nl`. */
  readonly localeId: string;
  readonly theme: ThemeDefinition;
  readonly words: {
    readonly title: string;
    readonly signOut: string;
    readonly unavailable: string;
    late(count: number): string;
  };
}

/** Your app reads its customers from a database. */
const customers: readonly Customer[] = [
  {
    id: "acme",
    name: "Acme",
    localeId: "nl",
    theme: { type: "light", mainColor: "#0b7285" },
    words: {
      title: "Leveringen",
      signOut: "Afmelden",
      unavailable: "De cijfers zijn nu niet beschikbaar. We proberen het opnieuw.",
      late: (count) => `${count} pakketten kwamen deze week te laat.`,
    },
  },
  {
    id: "boreal",
    name: "Boréal",
    localeId: "fr",
    theme: { type: "dark", mainColor: "#f59f00" },
    words: {
      title: "Livraisons",
      signOut: "Se déconnecter",
      unavailable: "Les chiffres ne sont pas disponibles. Nous réessayons.",
      late: (count) => `${count} colis sont arrivés en retard cette semaine.`,
    },
  },
];

/** Returns the customer with an id. */
export function customerOf(id: string): Customer {
  const customer = customers.find((each) => each.id === id);
  if (!customer) throw new Error(`there is no customer ${id}`);
  return customer;
}
