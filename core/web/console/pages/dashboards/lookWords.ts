import { chooseWords } from "../../language/index.ts";
import { words as english } from "./lookWords/en.ts";

/** The strings for the look of items: options by path, and their values. */
export const lookWords = chooseWords("pages/dashboards/lookWords", english);
