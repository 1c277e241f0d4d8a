import { chooseWords } from "../../language/index.ts";
import { words as english } from "./words/en.ts";

/** The strings of the Ask page. */
export const words = chooseWords("pages/ask/words", english);
