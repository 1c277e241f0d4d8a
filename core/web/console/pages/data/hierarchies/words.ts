import { chooseWords } from "../../../language/index.ts";
import { words as english } from "./words/en.ts";

/** The strings that the console shows for hierarchies. */
export const words = chooseWords("pages/data/hierarchies/words", english);
