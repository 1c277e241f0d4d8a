import { writeNumber } from "./formats.ts";

/** Returns a count with its noun: "1 person", "1,204 people". */
export const counted = (count: number, one: string, many: string): string =>
  `${writeNumber(count)} ${count === 1 ? one : many}`;
