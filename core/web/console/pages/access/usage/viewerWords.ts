import { chooseWords } from "../../../language/index.ts";
import { words as english } from "./viewerWords/en.ts";

/** The strings of usage by person. */
export const viewerWords = chooseWords("pages/access/usage/viewerWords", english);
