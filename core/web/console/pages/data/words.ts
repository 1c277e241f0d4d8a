import { chooseWords } from "../../language/index.ts";
import { words as english } from "./words/en.ts";

/** The strings of the Data page. */
export const words = chooseWords("pages/data/words", english);
