import type { Cell } from "../../../plugins/protocol/index.ts";
import type { PlainPlugin } from "../../support/plainPlugin.ts";

const texts = [
  "Anna",
  "anna",
  "ANNA",
  "anna ",
  "Émile",
  "émile",
  "ÅKE",
  "åke",
  "Emile",
  "e\u0301mile",
  "a_b",
  "axb",
  "50%",
  "50 percent",
  "",
  " ",
  "zebra",
  "Zebra",
  "ß",
  "ss",
  "𝒳y",
  null,
] as const;
const numbers = [0, -1, 1, 2.5, -2.5, 1e15, 7, 7.25, -13, null] as const;
const instants = [
  "2024-03-31T00:30:00.000Z",
  "2024-03-31T01:30:00.000Z",
  "2024-10-27T00:30:00.000Z",
  "2024-01-07T12:00:00.000Z",
  "2024-01-08T00:00:00.000Z",
  "2023-12-31T23:30:00.000Z",
  "1969-07-20T20:17:40.123Z",
  "1582-10-04T00:00:00.000Z",
  "2011-12-30T05:00:00.000Z",
  null,
] as const;

/** Fills a dataset with rows for which each known deviation leads to a different answer. */
export function fillTelling(plugin: PlainPlugin): void {
  const rows = Array.from({ length: 120 }, (_, row): Cell[] => [
    texts[row % texts.length] ?? null,
    ["a", "b", null][row % 3] ?? null,
    numbers[(row * 7) % numbers.length] ?? null,
    row % 11 === 0 ? null : row,
    instants[(row * 3) % instants.length] ?? null,
  ]);
  plugin.fill(
    "telling",
    [
      { id: "text", type: "hierarchy" },
      { id: "letter", type: "hierarchy" },
      { id: "number", type: "numeric" },
      { id: "row", type: "numeric" },
      { id: "instant", type: "datetime" },
    ],
    rows,
  );
}

/** Fills a dataset to which some of the rows from `fillTelling` can be joined, by `letter` or by `row`. */
export function fillJoined(plugin: PlainPlugin): void {
  plugin.fill(
    "joined",
    [
      { id: "letter", type: "hierarchy" },
      { id: "row", type: "numeric" },
      { id: "note", type: "hierarchy" },
    ],
    [
      ["a", 1, "one"],
      ["zebra", 2, null],
      ["é", 300, "three"],
    ],
  );
}
