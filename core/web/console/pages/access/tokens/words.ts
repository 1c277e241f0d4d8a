import { chooseWords } from "../../../language/index.ts";
import { words as english } from "./words/en.ts";

/** The strings that the console shows for tokens and for their data. */
export const words = chooseWords("pages/access/tokens/words", english);
