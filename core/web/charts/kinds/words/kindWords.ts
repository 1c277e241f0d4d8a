import type { Plural, With } from "../../words/templates.ts";

/** The words of the kinds that pages load on first use. They are no part of the first script. */
export interface KindWords {
  /** A note about rows that a picture leaves out, such as "without a value: 4 (Ghent, Bruges, Liege, …)". */
  readonly leftOut: With<"reason"> & With<"count">;
  readonly leftOutNamed: With<"reason"> & With<"count"> & With<"names">;
  readonly reasons: Readonly<Record<LeftOutReason, string>>;
  readonly places: Plural;
  readonly density: string;
  /** What pictures say about an image, a video or a web page, which they do not contain: this, then its address. */
  readonly notHere: string;
  readonly noAddress: string;
}

/** Why a picture leaves out rows. */
export type LeftOutReason =
  | "withoutPlace"
  | "unreadable"
  | "outOfView"
  | "tooDetailed"
  | "samePlace"
  | "notPositive"
  | "withoutValue"
  | "withoutName"
  | "circular"
  | "withoutRoom";

/** The words of these kinds in English, which load with the kinds. */
export const english: KindWords = {
  leftOut: "{reason}: {count}",
  leftOutNamed: "{reason}: {count} ({names})",
  reasons: {
    withoutPlace: "without a place on the map",
    unreadable: "with unreadable coordinates",
    outOfView: "outside the map",
    tooDetailed: "with too detailed shapes",
    samePlace: "behind a larger value of the same place",
    notPositive: "not above 0",
    withoutValue: "without a value",
    withoutName: "without a name",
    circular: "flows in a circle",
    withoutRoom: "without room",
  },
  places: { one: "{count} place", other: "{count} places" },
  density: "share of the highest density",
  notHere: "Not shown here:",
  noAddress: "This item has no address that begins with https://.",
};
