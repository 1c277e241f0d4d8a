import { chooseWords } from "../../language/index.ts";
import { words as english } from "./words/en.ts";

/** The strings of the Explore page. */
export const words = chooseWords("pages/explore/words", english);
