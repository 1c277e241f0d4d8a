import { levelNumber, levelOfNumber, levels } from "../../../plugins/protocol/index.ts";

const numbers = levels.map((level) => `${levelNumber(level)} ${level}`).join(", ");

/** Returns words that complete "must …" if a value is not the number of a level. 0 stands for all levels. */
export function lowestLevelProblem(value: unknown): string | undefined {
  return value === 0 || levelOfNumber(value) !== undefined
    ? undefined
    : `be 0 for all levels, or the number of a level: ${numbers}`;
}
