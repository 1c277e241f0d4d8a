import { chooseWords } from "../../language/index.ts";
import { words as english } from "./words/en.ts";

/** The strings of the Alerts page. */
export const words = chooseWords("pages/alerts/words", english);
