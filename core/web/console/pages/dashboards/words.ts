import { chooseWords } from "../../language/index.ts";
import { words as english } from "./words/en.ts";

/** The strings of the Dashboards page. */
export const words = chooseWords("pages/dashboards/words", english);
