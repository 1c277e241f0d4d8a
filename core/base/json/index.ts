// JSON as bytes, as objects, and as PHP clients write it.
// May import: nothing.
export { asMap } from "./asMap.ts";
export { isList } from "./isList.ts";
export { isObject, type Members } from "./isObject.ts";
export {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  quote,
} from "./jsonBytes.ts";
export { kindOf } from "./kindOf.ts";
export { listOf } from "./listOf.ts";
export { nearestName } from "./nearestName.ts";
export { UnparsedJson } from "./unparsedJson.ts";
