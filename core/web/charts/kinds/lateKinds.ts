// The code that several families of kinds share, and that the first script does not contain.
export { optionNumber } from "../frame/optionNumber.ts";
export { labelPoints } from "../axes/labelPoints.ts";
export { rampColor } from "../color/rampColor.ts";
export { noteLeftOut } from "./noteLeftOut.ts";
export { hasKindWords, kindWordsOf, loadKindWords } from "./words/kindWordsOf.ts";
