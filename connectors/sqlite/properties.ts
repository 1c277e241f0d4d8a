import type { AccountProperty } from "../../plugins/protocol/index.ts";
import { columnProperties } from "../../plugins/sql/index.ts";
import { numberMeanings } from "./types.ts";

/** Properties of an SQLite account. */
export const properties: readonly AccountProperty[] = [
  { id: "host", label: "Database file", type: "text", required: true },
  {
    id: "datetimes",
    label: "Meaning of numbers in datetime columns",
    type: "select",
    options: numberMeanings,
    destination: false,
  },
  ...columnProperties,
];
