// src/rows.ts

/** The columns of the dataset, in the order of a row's cells. */
export const header = ["tenant", "day", "city", "parcels", "late"] as const;

/**
 * Parcels that a customer received in a city on a day. `tenant` is the id of the customer, `day` such as 2026-01-31.
 */
export type Row = readonly [
  tenant: string,
  day: string,
  city: string,
  parcels: number,
  late: number,
];

const cities = [
  ["acme", "Gent"],
  ["acme", "Antwerpen"],
  ["acme", "Leuven"],
  ["boreal", "Lille"],
  ["boreal", "Lyon"],
] as const;

/** Returns example rows of both customers for twelve weeks up to today. Your app reads its own. */
export function createRows(nowMs = Date.now()): readonly Row[] {
  return cities.flatMap(([tenant, city], place) =>
    Array.from({ length: 12 }, (_, week): Row => {
      const day = new Date(nowMs - week * 7 * 86_400_000).toISOString().slice(0, 10);
      return [tenant, day, city, 80 + 25 * place + ((week * 37) % 50), (week * 5 + place) % 9];
    }),
  );
}
