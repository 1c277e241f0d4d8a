/** The airports of the flights, each with its code, city and state. */
export const airports: readonly (readonly [code: string, city: string, state: string])[] = [
  ["ATL", "Atlanta", "Georgia"],
  ["BOS", "Boston", "Massachusetts"],
  ["DEN", "Denver", "Colorado"],
  ["DFW", "Dallas", "Texas"],
  ["IAH", "Houston", "Texas"],
  ["JFK", "New York", "New York"],
  ["LAX", "Los Angeles", "California"],
  ["LGA", "New York", "New York"],
  ["MIA", "Miami", "Florida"],
  ["ORD", "Chicago", "Illinois"],
  ["SAN", "San Diego", "California"],
  ["SEA", "Seattle", "Washington"],
  ["SFO", "San Francisco", "California"],
];
