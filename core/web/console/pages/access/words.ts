import { chooseWords } from "../../language/index.ts";
import { words as english } from "./words/en.ts";

/** The strings of the People and access page. Each tab has its own strings. */
export const words = chooseWords("pages/access/words", english);
