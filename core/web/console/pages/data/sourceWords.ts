import { chooseWords } from "../../language/index.ts";
import { words as english } from "./sourceWords/en.ts";

/** The strings that the console shows for the source of a dataset. */
export const sourceWords = chooseWords("pages/data/sourceWords", english);
