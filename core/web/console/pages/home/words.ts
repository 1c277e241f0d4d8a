import { chooseWords } from "../../language/index.ts";
import { words as english } from "./words/en.ts";

/** The strings of the Home page. */
export const words = chooseWords("pages/home/words", english);
