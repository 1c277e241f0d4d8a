import { chooseWords } from "../../language/index.ts";
import { words as english } from "./words/en.ts";

/** The strings of the Plugins page. */
export const words = chooseWords("pages/plugins/words", english);
